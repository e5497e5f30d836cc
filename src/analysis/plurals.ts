// Singular and plural of English words: irregular plurals, whether two words are one word in two numbers, and the regular forms
// that a word may have in the other number. The list was
// written for this package: the irregular plurals of common nouns, above all of things that are sold, without those that are
// words of their own as well (media, data, dice, glasses).

const IRREGULAR: ReadonlyMap<string, string> = mapOf(`
  man men, man mens, woman women, woman womens, child children, child childrens, gentleman gentlemen, salesman salesmen,
  workman workmen, craftsman craftsmen, fireman firemen, policeman policemen, fisherman fishermen, sportsman sportsmen,
  postman postmen, snowman snowmen, doorman doormen, groomsman groomsmen, cameraman cameramen, businessman businessmen,
  businesswoman businesswomen, sportswoman sportswomen, policewoman policewomen, saleswoman saleswomen,
  grandchild grandchildren, godchild godchildren, stepchild stepchildren, schoolchild schoolchildren, person people,
  foot feet, forefoot forefeet, crowfoot crowfeet, tooth teeth, eyetooth eyeteeth, sawtooth sawteeth, goose geese,
  mongoose mongeese, mouse mice, dormouse dormice, titmouse titmice, louse lice, woodlouse woodlice, ox oxen,
  knife knives, penknife penknives, jackknife jackknives, wife wives, housewife housewives, midwife midwives, life lives,
  afterlife afterlives, leaf leaves, cloverleaf cloverleaves, flyleaf flyleaves, shelf shelves, bookshelf bookshelves,
  loaf loaves, meatloaf meatloaves, half halves, calf calves, wolf wolves, werewolf werewolves, elf elves, self selves,
  thief thieves, sheaf sheaves, scarf scarves, hoof hooves, roof rooves, dwarf dwarves, wharf wharves,
  kerchief kerchieves, handkerchief handkerchieves, neckerchief neckerchieves, turf turves, beef beeves, penny pence,
  bus buses, bus busses, minibus minibuses, omnibus omnibuses, trolleybus trolleybuses, gas gases, gas gasses,
  lens lenses, canvas canvases, iris irises, plus pluses, plus plusses, bias biases, bias biasses, quiz quizzes,
  whiz whizzes, fez fezzes, christmas christmases, trellis trellises, pelvis pelvises, mantis mantises, ibis ibises,
  metropolis metropolises, clematis clematises, crisis crises, oasis oases, thesis theses,
  hypothesis hypotheses, analysis analyses, diagnosis diagnoses, synthesis syntheses, parenthesis parentheses,
  prosthesis prostheses, synopsis synopses, cactus cacti, fungus fungi, nucleus nuclei, radius radii, stimulus stimuli,
  alumnus alumni, focus foci, syllabus syllabi, octopus octopi, hippopotamus hippopotami, thesaurus thesauri,
  crocus croci, gladiolus gladioli, terminus termini, bacillus bacilli, larva larvae, alga algae, antenna antennae,
  formula formulae, vertebra vertebrae, nebula nebulae, supernova supernovae, aquarium aquaria, terrarium terraria,
  vivarium vivaria, bacterium bacteria, curriculum curricula, memorandum memoranda, symposium symposia, erratum errata,
  stratum strata, criterion criteria, phenomenon phenomena, automaton automata, index indices, appendix appendices,
  matrix matrices, vertex vertices, vortex vortices, helix helices, codex codices, gateau gateaux, tableau tableaux,
  bureau bureaux, chateau chateaux, plateau plateaux, trousseau trousseaux, beau beaux, portmanteau portmanteaux,
  adieu adieux, cherub cherubim, kibbutz kibbutzim, libretto libretti, paparazzo paparazzi,
  passerby passersby`);

/** The plural of an abbreviation: consonants and s. */
const ABBREVIATIONS = /^[bcdfghj-np-tv-xz]{1,3}[bcdfghj-np-rtv-xz]s$/;
/** Words of consonants that end in s and are no plurals. */
const NO_PLURALS = new Set(
  "gps sms mms css dns bps fps cps dps pps rps kbps mbps gbps rms cms pms tts dts cbs pbs rss xss tls".split(" "),
);

/** The singular of an irregular plural or of the plural of an abbreviation ("tvs"); undefined for other words. */
export function irregularSingular(word: string): string | undefined {
  return IRREGULAR.get(word) ?? (ABBREVIATIONS.test(word) && !NO_PLURALS.has(word) ? word.slice(0, -1) : undefined);
}

/** Whether two words, normalised, are the same word, or one is a plural of the other. */
export function differInNumberOnly(a: string, b: string): boolean {
  const [one, other] = [IRREGULAR.get(a) ?? a, IRREGULAR.get(b) ?? b];
  return one === other || isPluralOf(one, other) || isPluralOf(other, one);
}

/** Whether a word is a regular plural of another. */
function isPluralOf(plural: string, word: string): boolean {
  const more = plural.length - word.length;
  if (more < 1 || more > 2 || !plural.endsWith("s")) return false;
  if (more === 1 && plural.startsWith(word)) return true;
  if (!plural.endsWith("es")) return false;
  return plural.startsWith(word) || (word.endsWith("y") && plural === `${word.slice(0, -1)}ies`);
}

/** Shorter singulars are no words to be corrected. */
const SHORTEST_SINGULAR = 4;
const SIBILANT = /(?:ss|us|is|x|z|ch|sh|o)$/;

/** The regular forms of a word in the other number: plurals of a singular, singulars of a plural. They need not be words. */
export function otherNumbers(word: string): readonly string[] {
  if (word.length < SHORTEST_SINGULAR) return [];
  if (SIBILANT.test(word)) return word.endsWith("o") ? [`${word}s`, `${word}es`] : [`${word}es`];
  if (!word.endsWith("s")) {
    return /[^aeiou]y$/.test(word) ? [`${word}s`, `${word.slice(0, -1)}ies`] : [`${word}s`];
  }
  const singulars = [word.slice(0, -1)];
  if (word.endsWith("ies")) singulars.push(`${word.slice(0, -3)}y`);
  else if (word.endsWith("es") && SIBILANT.test(word.slice(0, -2))) singulars.push(word.slice(0, -2));
  return singulars.filter((singular) => singular.length >= SHORTEST_SINGULAR);
}

function mapOf(pairs: string): ReadonlyMap<string, string> {
  const split = pairs.split(",").map((pair) => pair.trim().split(/\s+/));
  return new Map(split.map(([singular, plural]) => [plural!, singular!]));
}
