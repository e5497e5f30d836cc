// Singular and plural of English words: irregular plurals, whether two words are one word in two numbers, and the regular forms
// that a word may have in the other number. The list was
// written for this package: the irregular plurals of common nouns, above all of things that are sold, without those that are
// words of their own as well (media, data, dice, glasses).

import { pairsOf, wordsOf } from "./language-rules.js";

const IRREGULAR: ReadonlyMap<string, string> = pairsOf(`
  man men, man mens, woman womens, child childrens, tooth teeth, foot feet, goose geese, mouse mice, louse lice,
  woodlouse woodlice, ox oxen, wife wives, life lives, afterlife afterlives, leaf leaves, flyleaf flyleaves, half halves,
  calf calves, elf elves, self selves, sheaf sheaves, roof rooves, dwarf dwarves, wharf wharves, kerchief kerchieves,
  handkerchief handkerchieves, neckerchief neckerchieves, turf turves, beef beeves, penny pence,

  bus buses, bus busses, minibus minibuses, omnibus omnibuses, trolleybus trolleybuses, gas gases, gas gasses,
  lens lenses, canvas canvases, atlas atlases, thermos thermoses, cosmos cosmoses, alias aliases, iris irises,
  plus pluses, plus plusses, bias biases, bias biasses, christmas christmases, trellis trellises, pelvis pelvises,
  mantis mantises, ibis ibises, metropolis metropolises, acropolis acropolises, clematis clematises,
  amaryllis amaryllises, portcullis portcullises, chrysalis chrysalises, rhinoceros rhinoceroses, pancreas pancreases,
  marquis marquises, dais daises, epidermis epidermises, proboscis proboscises, madras madrases, summons summonses,
  quiz quizzes, whiz whizzes, fez fezzes,

  menu menus, emu emus, guru gurus, tutu tutus, haiku haikus, sudoku sudokus, tiramisu tiramisus, zebu zebus,
  kudu kudus, coypu coypus, caribou caribous, bayou bayous, marabou marabous, bijou bijous, bijou bijoux, snafu snafus,
  pilau pilaus, ecu ecus, apu apus, hindu hindus, impromptu impromptus, gateau gateaux, gateau gateaus,
  tableau tableaux, tableau tableaus, bureau bureaux, bureau bureaus, chateau chateaux, chateau chateaus,
  plateau plateaux, plateau plateaus, trousseau trousseaux, trousseau trousseaus, portmanteau portmanteaux,
  portmanteau portmanteaus, beau beaux, beau beaus, adieu adieux, adieu adieus, milieu milieux, milieu milieus,

  crisis crises, oasis oases, thesis theses, antithesis antitheses, hypothesis hypotheses, analysis analyses,
  paralysis paralyses, dialysis dialyses, diagnosis diagnoses, prognosis prognoses, synthesis syntheses,
  parenthesis parentheses, prosthesis prostheses, synopsis synopses, emphasis emphases, nemesis nemeses,
  neurosis neuroses, psychosis psychoses, thrombosis thromboses, metamorphosis metamorphoses, testis testes,

  cactus cacti, fungus fungi, nucleus nuclei, radius radii, stimulus stimuli, alumnus alumni, focus foci,
  syllabus syllabi, octopus octopi, platypus platypi, hippopotamus hippopotami, thesaurus thesauri, crocus croci,
  gladiolus gladioli, narcissus narcissi, hibiscus hibisci, eucalyptus eucalypti, papyrus papyri, terminus termini,
  bacillus bacilli, abacus abaci, stylus styli, calculus calculi, modulus moduli, locus loci, torus tori,
  rhombus rhombi, discus disci, nautilus nautili, colossus colossi, sarcophagus sarcophagi, tumulus tumuli,
  cumulus cumuli, incubus incubi, succubus succubi, magus magi, genius genii, denarius denarii, uterus uteri,
  humerus humeri, meniscus menisci, hippocampus hippocampi, thrombus thrombi, streptococcus streptococci,
  staphylococcus staphylococci, corpus corpora, genus genera,

  larva larvae, pupa pupae, alga algae, amoeba amoebae, antenna antennae, formula formulae, vertebra vertebrae,
  nebula nebulae, nova novae, supernova supernovae, alumna alumnae, persona personae, lacuna lacunae, lamina laminae,
  patella patellae, scapula scapulae, fibula fibulae, tibia tibiae, papilla papillae, trachea tracheae,
  minutia minutiae,

  aquarium aquaria, terrarium terraria, vivarium vivaria, planetarium planetaria, herbarium herbaria,
  solarium solaria, gymnasium gymnasia, stadium stadia, emporium emporia, auditorium auditoria, sanatorium sanatoria,
  crematorium crematoria, arboretum arboreta, podium podia, bacterium bacteria, curriculum curricula,
  memorandum memoranda, referendum referenda, symposium symposia, compendium compendia, consortium consortia,
  equilibrium equilibria, millennium millennia, erratum errata, addendum addenda, corrigendum corrigenda,
  candelabrum candelabra, spectrum spectra, cranium crania, ovum ova, septum septa, quantum quanta, stratum strata,
  trapezium trapezia, criterion criteria, phenomenon phenomena, automaton automata, ganglion ganglia,
  polyhedron polyhedra, tetrahedron tetrahedra, octahedron octahedra, dodecahedron dodecahedra,
  icosahedron icosahedra, mitochondrion mitochondria,

  index indices, appendix appendices, matrix matrices, vertex vertices, vortex vortices, helix helices, codex codices,
  cortex cortices, apex apices, cervix cervices, calyx calyces, larynx larynges, pharynx pharynges, phalanx phalanges,

  libretto libretti, paparazzo paparazzi, virtuoso virtuosi, concerto concerti, maestro maestri, graffito graffiti,
  panino panini, biscotto biscotti, raviolo ravioli, cannolo cannoli, crostino crostini, arancino arancini,
  amaretto amaretti, grissino grissini, gnocco gnocchi, cherub cherubim, seraph seraphim, kibbutz kibbutzim,
  passerby passersby`);

/** The last words of compounds such as "snowmen" and "bookshelves". */
const ENDINGS: ReadonlyMap<string, string> = pairsOf(`
  man men, child children, person people, mouse mice, tooth teeth, foot feet, goose geese, knife knives, wife wives,
  shelf shelves, leaf leaves, loaf loaves, half halves, wolf wolves, scarf scarves, thief thieves, hoof hooves`);
/** Words that only end so. */
const NO_COMPOUNDS = new Set(
  wordsOf(`omen semen ramen lumen hymen yemen rumen limen numen abdomen bremen carmen xiamen stamen specimen regimen acumen
  bitumen cyclamen albumen dolmen examen foramen gravamen cognomen cerumen duramen putamen catechumen turkmen germen
  culmen flamen cleaves behooves pumice`),
);
const SHORTEST_MODIFIER = 2;

/** The singular of an irregular plural, or of a compound that ends with one; undefined for other words. */
function singularOf(word: string): string | undefined {
  const singular = IRREGULAR.get(word);
  if (singular !== undefined || !MAY_BE_COMPOUND.test(word) || NO_COMPOUNDS.has(word)) return singular;
  for (const [plural, one] of ENDINGS) {
    const before = word.length - plural.length;
    if ((before === 0 || before >= SHORTEST_MODIFIER) && word.endsWith(plural)) return word.slice(0, before) + one;
  }
  return undefined;
}

/** What the plurals of {@link ENDINGS} end with. */
const MAY_BE_COMPOUND = /(?:men|ren|ple|ice|eth|eet|ese|ves)$/;

/** Consonants and s ("tvs"), or consonants with one vowel before the s ("cpus", "skis"): the stemmer takes that s for the word's own. */
const SHORT_PLURALS = /^[bcdfghj-np-tv-xz]{1,3}(?:[bcdfghj-np-rtv-xz]|(?<=..)[aiou])s$/;
/** Such words that are no plurals. */
const NO_PLURALS = new Set(
  wordsOf(`gps sms mms css dns bps fps cps dps pps rps kbps mbps gbps rms cms pms tts dts cbs pbs rss xss tls plus thus this xmas
  gras gros gris glas chris kris bris`),
);

/** The singular of an irregular plural or of a short one ("tvs"); undefined for other words. */
export function irregularSingular(word: string): string | undefined {
  return singularOf(word) ?? (SHORT_PLURALS.test(word) && !NO_PLURALS.has(word) ? word.slice(0, -1) : undefined);
}

/** Whether two words, normalised, are the same word, or one is a plural of the other. */
export function differInNumberOnly(a: string, b: string): boolean {
  const [one, other] = [singularOf(a) ?? a, singularOf(b) ?? b];
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
