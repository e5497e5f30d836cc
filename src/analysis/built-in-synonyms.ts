// The synonyms that the analyzer "english" knows by itself: British and American spellings, and common names of things that shops
// sell. The list was written for this package, from knowledge of both vocabularies, not from any catalogue or word list. A pair is
// in it if a shopper who types the one would take the other. A word that has another meaning of its own in a shop is left out
// (cheque and check), or found only from its partner (flashlight > torch): what stands before ">" finds what stands after it, not
// the other way round. Names of several words are found, but find nothing themselves: who types "memory stick" may also mean records
// with one of the words. Sofa, couch and settee are left to meaning: as synonyms they would lift covers for sofas above sofas.

import type { SynonymRule } from "./synonyms.js";

const SPELLINGS = `
  colour, color; grey, gray; jewellery, jewelry; jeweller, jeweler; tyre, tire; aluminium, aluminum; centre, center;
  litre, liter; fibre, fiber; theatre, theater; calibre, caliber; sabre, saber; lustre, luster; ochre, ocher; mould, mold;
  plough, plow; snowplough, snowplow; programme, program; catalogue, catalog; dialogue, dialog; analogue, analog;
  kerb, curb; doughnut, donut; yoghurt, yogurt; moustache, mustache; pyjamas, pajamas; cosy, cozy; licence, license;
  defence, defense; armour, armor; favourite, favorite; flavour, flavor; harbour, harbor; honour, honor; humour, humor;
  labour, labor; neighbour, neighbor; odour, odor; savoury, savory; vapour, vapor; behaviour, behavior; traveller, traveler;
  travelling, traveling; modelling, modeling; labelling, labeling; woollen, woolen; chilli, chili; whisky, whiskey;
  organiser, organizer; moisturiser, moisturizer; steriliser, sterilizer; sanitiser, sanitizer; atomiser, atomizer;
  equaliser, equalizer; stabiliser, stabilizer; customised, customized; personalised, personalized; deodoriser, deodorizer;
  vaporiser, vaporizer; fertiliser, fertilizer; tenderiser, tenderizer; minimiser, minimizer; synthesiser, synthesizer;
  visualiser, visualizer; analyser, analyzer; artefact, artifact; ageing, aging; orthopaedic, orthopedic;
  paediatric, pediatric; encyclopaedia, encyclopedia; sulphur, sulfur; carburettor, carburetor; disc, disk;
  barbecue, barbeque, bbq; christmas, xmas; aeroplane, airplane; smoulder, smolder; skilful, skillful;
  windscreen, windshield; mum, mom; enamelled, enameled; levelling, leveling`;

const THINGS = `
  tv, television, telly; fridge, refrigerator; earphones, earbuds; loudspeaker > speaker;
  ssd, solid state drive; cpu > processor; gpu > graphics card; motherboard, mainboard; wifi, wlan;
  ups, uninterruptible power supply; photocopier > copier; ballpoint pen, biro; drawing pin, thumbtack, push pin;
  sellotape > adhesive tape; pc, personal computer; hoover > vacuum cleaner; hob, cooktop; hairdryer, blow dryer;
  faucet > tap; flashlight > torch; head torch, headlamp; spanner, wrench; plasterboard, drywall; skirting board, baseboard;
  secateurs, pruning shears; lawnmower > mower; hosepipe, garden hose; parasol, sun umbrella;
  dustbin, rubbish bin, trash can, garbage can; letterbox, mailbox; bedside table, nightstand; chest of drawers, dresser;
  worktop, countertop; duvet, comforter; curtain, drape; clothes peg, clothespin; cutlery, flatware, silverware;
  crockery, dinnerware; frying pan, skillet; trousers > pants; sweater, pullover; sweater > jumper; sneakers > trainers;
  tights, pantyhose; knickers, panties; dressing gown, bathrobe; swimsuit, bathing suit, swimming costume;
  rucksack, backpack; hoodie, hooded sweatshirt; polo neck, turtleneck, roll neck; gilet, body warmer;
  wellington boots, wellies, rubber boots; dungarees > overalls; bra, brassiere; spectacles, eyeglasses; nappy, diaper;
  pushchair, stroller; pram, baby carriage; pacifier, soother; babygrow, onesie; draughts, checkers;
  sunscreen, sun cream, sunblock; bike, bicycle; motorbike, motorcycle; petrol, gasoline; lorry, truck;
  caravan, travel trailer; satnav, gps navigation; aquarium, fish tank; aubergine, eggplant; courgette, zucchini;
  coriander, cilantro; chickpea, garbanzo; spring onion, scallion, green onion; candyfloss, cotton candy; candy > sweets;
  crisps > potato chips; wholemeal, whole wheat; treacle, molasses; porridge, oatmeal`;

/** The built-in synonyms as rules. */
export const BUILT_IN_SYNONYMS: readonly SynonymRule[] = [...rulesOf(SPELLINGS), ...rulesOf(THINGS)];

function rulesOf(list: string): SynonymRule[] {
  const textsOf = (texts: string): string[] => texts.split(",").map((text) => text.trim().replace(/\s+/g, " "));
  return list.split(";").map((group) => {
    const [inputs, outputs = inputs] = group.split(">").map(textsOf);
    return { inputs: inputs!.filter((text) => !text.includes(" ")), outputs: outputs! };
  });
}
