// Short queries of many trades and walks of life: whatever an index holds, nearly all of them are about something else. What
// they have in common with its records is what means nothing. Changing one changes every learned floor a little.
const BY_SUBJECT = `
  dining table, office chair, velvet curtains, wall mirror
  frying pan, steak knife, coffee grinder, soup bowl
  garden hose, lawn mower, tomato seeds, flower pot
  claw hammer, wood screws, paint roller, spirit level
  ceiling lamp, candle holder, extension lead, smoke alarm
  winter coat, denim jacket, silk scarf, leather belt
  running shoes, hiking boots, wool socks, sun hat
  gold earrings, pocket watch, wedding ring, hand bag
  lip balm, hair dryer, shaving cream, nail polish
  vitamin tablets, cough syrup, knee brace, blood pressure
  baby bottle, wooden puzzle, teddy bear, school bag
  dog leash, cat litter, fish tank, bird cage
  mountain bike, car battery, motor oil, roof rack
  yoga mat, tennis racket, fishing rod, swimming goggles
  camping tent, sleeping bag, travel pillow, suitcase lock
  acoustic guitar, piano stool, vinyl record, drum sticks
  gaming console, wireless mouse, laptop sleeve, printer ink
  phone charger, security camera, memory card, desktop speaker
  fountain pen, wrapping paper, wall calendar, shipping box
  crime novel, cookery book, world atlas, movie poster
  olive oil, green tea, dark chocolate, smoked salmon
  red wine, orange juice, birthday cake, breakfast cereal
  laundry detergent, vacuum cleaner, bath towel, shower curtain
  sewing machine, knitting yarn, oil paint, modelling clay
  income tax, rental contract, savings account, criminal court
  train timetable, hotel booking, city map, airport parking
  weather forecast, ocean waves, solar system, volcano eruption
  heart disease, protein structure, clinical trial, surgery recovery
  medieval castle, ancient philosophy, opera singer, modern sculpture
  job interview, language course, exam results, nursery teacher
  football league, chess opening, marathon training, card game
  web server, password reset, file compression, programming language
`;
/** The queries, in a fixed order. */
export const PROBE_QUERIES = BY_SUBJECT.split(/[,\n]/)
    .map((query) => query.trim())
    .filter((query) => query !== "");
