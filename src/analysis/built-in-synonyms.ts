// The synonyms that the analyzer "english" knows by itself: British and American spellings, and common names of things that shops
// sell. The list was written for this package, from knowledge of both vocabularies, not from any catalogue or word list. A pair is
// in it if a shopper who types the one would take the other. A word that has another meaning of its own in a shop is left out
// (cheque and check), or found only from its partner (flashlight > torch): what stands before ">" finds what stands after it, not
// the other way round. Names of several words are found, but find nothing themselves: who types "memory stick" may also mean records
// with one of the words. Sofa, couch and settee are left to meaning: as synonyms they would lift covers for sofas above sofas.

import type { SynonymRule } from "./synonyms.js";

const SPELLINGS = `
  colour, color; multicolour, multicolor; water-colour, water-color; favourite, favorite; favour, favor; flavour, flavor;
  harbour, harbor; honour, honor; humour, humor; labour, labor; neighbour, neighbor; neighbourhood, neighborhood;
  odour, odor; odourless, odorless; savoury, savory; vapour, vapor; behaviour, behavior; armour, armor; parlour,
  parlor; tumour, tumor; rumour, rumor; saviour, savior; vigour, vigor; glamour, glamor; endeavour, endeavor; arbour,
  arbor; grey, gray; grey-scale, gray-scale; jewellery, jewelry; tyre, tire; aluminium, aluminum; kerb, curb; mould,
  mold; mouldy, moldy; plough, plow; snow-plough, snow-plow; centre, center; centre-piece, center-piece; litre, liter;
  millilitre, milliliter; centilitre, centiliter; metre > meter; kilometre, kilometer; centimetre, centimeter;
  millimetre, millimeter; micrometre, micrometer; fibre, fiber; fibre-glass, fiber-glass; micro-fibre, micro-fiber;
  theatre, theater; amphitheatre, amphitheater; calibre, caliber; sabre, saber; lustre, luster; ochre, ocher; sceptre,
  scepter; sombre, somber; spectre, specter; meagre, meager; louvre, louver; manoeuvre, maneuver; manoeuvrable,
  maneuverable; programme, program; gramme, gram; kilogramme, kilogram; catalogue, catalog; dialogue, dialog; analogue,
  analog; licence, license; defence, defense; offence, offense; pretence, pretense; practise, practice; doughnut,
  donut; yoghurt, yogurt; moustache, mustache; pyjamas, pajamas; cosy, cozy; liquorice, licorice; omelette, omelet;
  draught, draft; draughty, drafty; draughtsman, draftsman; chequered, checkered; gauge, gage; calliper, caliper; axe,
  ax; racquet, racket; cypher, cipher; syphon, siphon; kaftan, caftan; gypsy, gipsy; ketchup, catsup; tsar, czar;
  pedlar, peddler; pipette, pipet; whisky, whiskey; barbecue, barbeque, bbq; christmas, xmas; aeroplane, airplane;
  aerofoil, airfoil; smoulder, smolder; windscreen, windshield; mum, mom; counsellor, counselor; councillor, councilor;
  dialling, dialing; fuelled, fueled; woollen, woolen; woolly, wooly; tranquilliser, tranquilizer; skilful, skillful;
  wilful, willful; moult, molt; sulphur, sulfur; sulphate, sulfate; sulphite, sulfite; sulphide, sulfide; sceptic,
  skeptic; disc, disk; artefact, artifact; carburettor, carburetor; judgement, judgment; orthopaedic, orthopedic;
  paediatric, pediatric; paediatrician, pediatrician; encyclopaedia, encyclopedia; anaesthetic, anesthetic;
  anaesthesia, anesthesia; anaemia, anemia; anaemic, anemic; haemorrhoid, hemorrhoid; haemoglobin, hemoglobin;
  haemorrhage, hemorrhage; haematology, hematology; leukaemia, leukemia; oestrogen, estrogen; oedema, edema;
  oesophagus, esophagus; diarrhoea, diarrhea; foetal, fetal; foetus, fetus; faeces, feces; faecal, fecal; caesarean,
  cesarean; caesium, cesium; gynaecology, gynecology; homoeopathic, homeopathic; homoeopathy, homeopathy; archaeology,
  archeology; palaeontology, paleontology; palaeolithic, paleolithic; palaeo, paleo; mediaeval, medieval; primaeval,
  primeval; aesthetic, esthetic; coeliac, celiac; apnoea, apnea; hyaena, hyena; organiser, organizer; moisturiser,
  moisturizer; steriliser, sterilizer; sanitiser, sanitizer; atomiser, atomizer; equaliser, equalizer; stabiliser,
  stabilizer; customised, customized; customisable, customizable; personalised, personalized; personalisable,
  personalizable; deodoriser, deodorizer; vaporiser, vaporizer; fertiliser, fertilizer; tenderiser, tenderizer;
  minimiser, minimizer; synthesiser, synthesizer; visualiser, visualizer; volumiser, volumizer; energiser, energizer;
  pressuriser, pressurizer; pulveriser, pulverizer; mesmeriser, mesmerizer; galvanised, galvanized; anodised, anodized;
  polarised, polarized; oxidised, oxidized; motorised, motorized; vulcanised, vulcanized; pasteurised, pasteurized;
  caramelised, caramelized; crystallised, crystallized; immobiliser, immobilizer; neutraliser, neutralizer;
  revitalising, revitalizing; hydrolysed, hydrolyzed; breathalyser, breathalyzer; analyser, analyzer; third, 3rd;
  fourth, 4th; fifth, 5th; sixth, 6th; seventh, 7th; eighth, 8th; ninth, 9th; tenth, 10th; eleventh, 11th; twelfth,
  12th; first, 1st; second, 2nd; storey > story; chilli, chili; hummus, houmous; mommy > mummy; vice, vise`;

/** Sizes in letters. Here and above, a name with a hyphen finds the others also if it is typed as two words. */
const SIZES = `
  xxs, 2xs, xx-small; xs, x-small, extra-small; xl, x-large, extra-large; xxl, 2xl, xx-large; xxxl, 3xl, xxx-large;
  xxxxl, 4xl, xxxx-large; xxxxxl, 5xl`;

const THINGS = `
  tv, television, telly; fridge, refrigerator; earphones, earbuds; loudspeaker > speaker; ssd, solid state drive; cpu >
  processor; gpu > graphics card; motherboard, mainboard; wifi, wlan; ups, uninterruptible power supply; photocopier >
  copier; ballpoint pen, biro; drawing pin, thumbtack, push pin; sellotape > adhesive tape; pc, personal computer;
  hoover > vacuum cleaner; hob, cooktop; hairdryer, blow dryer; faucet > tap; flashlight > torch; head torch, headlamp;
  spanner, wrench; plasterboard, drywall; skirting board, baseboard; secateurs, pruning shears; lawnmower > mower;
  hosepipe, garden hose; parasol, sun umbrella; dustbin, rubbish bin, trash can, garbage can; letterbox, mailbox;
  bedside table, nightstand; chest of drawers, dresser; worktop, countertop; duvet, comforter; curtain, drape; clothes
  peg, clothespin; cutlery, flatware, silverware; crockery, dinnerware; frying pan, skillet; trousers > pants; sweater,
  pullover; sweater > jumper; sneakers > trainers; tights, pantyhose; knickers, panties; dressing gown, bathrobe;
  swimsuit, bathing suit, swimming costume; rucksack, backpack; hoodie, hooded sweatshirt; polo neck, turtleneck, roll
  neck; gilet, body warmer; wellington boots, wellies, rubber boots; dungarees > overalls; bra, brassiere; spectacles,
  eyeglasses; nappy, diaper; pushchair, stroller; pram, baby carriage; pacifier, soother; babygrow, onesie; checkers >
  draughts; sunscreen, sun cream, sunblock; bike, bicycle; motorbike, motorcycle; petrol, gasoline; lorry, truck;
  caravan, travel trailer; satnav, gps navigation; aquarium, fish tank; aubergine, eggplant; courgette, zucchini;
  coriander, cilantro; chickpea, garbanzo; spring onion, scallion, green onion; candyfloss, cotton candy; candy >
  sweets; serviette, napkin; wallet, billfold; holdall, duffel bag, duffle bag; clingfilm, cling film > plastic wrap,
  cling wrap; washcloth, facecloth, face cloth; flannel > washcloth; pillowcase, pillow slip; wardrobe, armoire;
  footstool > ottoman; pouffe, pouf; nightdress, nightgown, nightie; seesaw, teeter totter; kerosene
  > paraffin; polystyrene, styrofoam; perspex, plexiglass, plexiglas; maths, math; telephone > phone; cellphone, mobile
  phone, cell phone; photograph, photo; mousemat, mouse pad, mousepad; hdd, hard disk drive, hard drive; budgie,
  budgerigar; kennel > dog house; leash > dog lead; strimmer, string trimmer, weed whacker; plectrum, guitar pick;
  prawn, shrimp; arugula > rocket; swede, rutabaga; beetroot, beet; mangetout, snow pea; sultana, golden raisin;
  cornflour, cornstarch; linseed, flaxseed; capsicum > bell pepper; gherkin > pickle; sweetcorn > corn; soda > soft
  drink, fizzy drink; paracetamol, acetaminophen; salbutamol, albuterol; crayfish, crawfish; chipboard, particle board;
  ladybird, ladybug; moneybox, piggy bank; snooker > billiards; ironmongery > hardware; crisps > potato chips;
  wholemeal, whole wheat; treacle, molasses; porridge, oatmeal`;

/** The built-in synonyms as rules. */
export const BUILT_IN_SYNONYMS: readonly SynonymRule[] = [...rulesOf(SPELLINGS), ...rulesOf(SIZES), ...rulesOf(THINGS)];

function rulesOf(list: string): SynonymRule[] {
  const textsOf = (texts: string): string[] => texts.split(",").map((text) => text.trim().replace(/\s+/g, " "));
  return list.split(";").map((group) => {
    const [inputs, outputs = inputs] = group.split(">").map(textsOf);
    return { inputs: inputs!.filter((text) => !text.includes(" ")), outputs: outputs! };
  });
}
