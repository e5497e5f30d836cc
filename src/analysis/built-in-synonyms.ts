// The synonyms that the analyzer "english" knows by itself: British and American spellings, and common names of things that shops
// sell. The list was written for this package, from knowledge of the trades and both vocabularies, not from any catalogue or word list. A
// pair is in it if a shopper who types the one would take the other, in a shop of any trade. A word that has another meaning of its own in
// a shop is left out (cheque and check), or found only from its partner (flashlight > torch): what stands before ">" finds what stands
// after it, not the other way round. A name with a hyphen finds the others also if it is typed as two words. Names with blanks are found,
// but find nothing themselves.

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

/** Names of things, trade by trade: what shoppers type, and what catalogues call it. */
const THINGS: Readonly<Record<string, string>> = {
  electronics: `
    laptop > notebook, notebook computer, notebook pc; tv, television, telly; earphones, earbuds; loudspeaker >
    speaker; ssd, solid-state-drive; hdd, hard-disk-drive, hard-drive; cpu > processor; graphics-card, video-card;
    gpu > graphics card, video card; motherboard, mainboard; ram > memory module; memory-module, ram-module; wifi,
    wlan; ups, uninterruptible-power-supply; psu > power supply unit, power supply; pc, personal-computer;
    desktop-computer, desktop-pc, tower-pc; computer-case, pc-case, pc-tower; all-in-one-pc, all-in-one-computer;
    usb-stick, thumb-drive, flash-drive, pen-drive, usb-key; sd-card > memory card, flash card; computer-monitor,
    computer-display, computer-screen; monitor > display; mousemat, mouse-pad; gamepad, joypad, game-controller;
    games-console, game-system; trackpad, touchpad; webcam, pc-camera; network-cable, ethernet-cable, lan-cable,
    patch-cable; network-card, network-adapter, ethernet-adapter; nas, network-attached-storage; docking-station,
    port-replicator; wifi-extender, range-extender, wifi-repeater, signal-booster; power-cord, mains-lead,
    power-lead; extension-lead, extension-cord; power-strip, socket-strip, multi-plug, power-board; plug-adapter,
    travel-adapter; ac-adapter, mains-adapter, power-adapter; laptop-charger > ac adapter, power adapter;
    power-bank, portable-charger; phone-charger > usb charger, wall charger; button-cell, coin-cell; accumulator >
    rechargeable battery; cellphone, mobile-phone, cell-phone; smartphone > mobile phone, cell phone; telephone >
    phone; landline > cordless phone, telephone; phone-case, phone-cover; screen-protector, screen-guard;
    selfie-stick > monopod; fitness-tracker, activity-tracker, fitness-wristband; satnav, gps-navigation; dashcam,
    dashboard-camera; digital-camera, digicam; camcorder, video-camera; flashgun, speedlight, camera-flash;
    objective > lens; photograph, photo; security-camera, surveillance-camera, cctv-camera; doorbell, door-chime;
    smoke-alarm, smoke-detector; burglar-alarm, intruder-alarm; walkie-talkie, two-way-radio; dictaphone,
    voice-recorder; turntable, record-player; lp > vinyl record; amp > amplifier; stereo-system, hi-fi-system;
    boombox, portable-stereo; subwoofer > bass speaker; beamer > projector; dvd-burner, dvd-writer;
    multifunction-printer, all-in-one-printer; photocopier > copier; printer-ink > ink cartridge; barcode-scanner,
    barcode-reader; label-maker, label-printer; cpu-cooler > heatsink; e-reader > ebook reader; aircon > air
    conditioner; led-strip, led-tape; light-bulb > led lamp; wall-socket, wall-outlet, power-outlet; maths, math`,
  fashion: `
    trousers, pants; slacks > trousers, pants; sweater, pullover; jumper > sweater, pullover; sweater > jumper;
    hoodie, hooded-sweatshirt; polo-neck, turtleneck, roll-neck; tee > t-shirt; singlet > tank top; waistcoat >
    vest; gilet, body-warmer; blazer, sport-coat; tuxedo, dinner-jacket; raincoat, rain-jacket; mackintosh >
    raincoat; anorak, windcheater; windbreaker > windcheater, anorak; puffer-jacket, padded-jacket; down-jacket >
    puffer jacket; dungarees > overalls; boiler-suit, coveralls; playsuit > romper; frock > dress; evening-dress,
    evening-gown; underpants > briefs; knickers, panties; lingerie > underwear; bra, brassiere; nightwear,
    sleepwear; nightdress, nightgown, nightie; dressing-gown, bathrobe; tights, pantyhose; hosiery > tights,
    stockings; swimsuit, bathing-suit, swimming-costume; swimming-trunks, swim-shorts; swimwear > beachwear;
    tracksuit, jogging-suit; sweatpants, joggers, track-pants, jogging-bottoms; activewear, sportswear; trainers,
    sneakers; plimsolls > canvas shoes; stilettos > high heels; court-shoes > pumps; ballerinas > ballet flats;
    loafers > slip-on shoes, moccasins; ankle-boots, booties; wellington-boots, wellies, rubber-boots, gumboots;
    house-shoes > slippers; handbag > purse; clutch-bag, evening-bag; crossbody-bag > shoulder bag, sling bag;
    tote-bag, shopper-bag; bum-bag, fanny-pack, waist-bag, belt-bag; rucksack, backpack; satchel > school bag;
    holdall, duffel-bag, duffle-bag; suitcase > luggage, trolley case; luggage > suitcase; hand-luggage, cabin-bag,
    carry-on-bag; briefcase, attache-case; wallet, billfold; spectacles, eyeglasses; sunnies > sunglasses; necktie >
    tie; bow-tie, dickie-bow; bangle > bracelet; ear-studs > earrings; wristwatch > watch; watch-strap, watch-band;
    shawl, stole; beanie, knit-cap; baseball-cap, snapback; mittens > gloves; hair-tie, hair-elastic, scrunchie;
    headband, hairband; umbrella, brolly`,
  "home and furniture": `
    sofa, settee; loveseat > two-seater sofa; sofa-bed, sleeper-sofa, bed-settee; chaise-longue,
    chaise-lounge; armchair, easy-chair; office-chair, desk-chair, swivel-chair; bar-stool, counter-stool; footstool
    > ottoman; pouffe, pouf; bookcase, bookshelf; wardrobe, armoire; closet > wardrobe; chest-of-drawers, dresser;
    sideboard, credenza; cupboard > cabinet; bedside-table, nightstand, bedside-cabinet; coffee-table,
    cocktail-table; side-table, end-table; dressing-table, vanity-table; tv-stand, tv-unit, tv-bench, tv-cabinet;
    vanity-unit, washbasin-cabinet; medicine-cabinet, bathroom-cabinet; camp-bed, folding-bed; mattress-topper,
    mattress-pad; bed-linen, bedding, bedclothes; duvet, comforter, quilt; eiderdown > duvet; duvet-cover,
    quilt-cover; bedspread, coverlet; pillowcase, pillow-slip; throw-pillow, scatter-cushion; curtain, drape;
    net-curtain, sheer-curtain; curtain-rod, curtain-pole; window-shade > window blind, roller blind; lampshade,
    light-shade; floor-lamp, standard-lamp; ceiling-light, ceiling-lamp; pendant-light, pendant-lamp, hanging-lamp;
    wall-lamp, wall-light, sconce; fairy-lights, string-lights; rug > carpet; doormat, welcome-mat, entrance-mat;
    bath-mat, bath-rug; picture-frame, photo-frame; flower-pot, plant-pot; planter > flower pot, plant pot;
    candlestick, candle-holder; coat-rack, coat-stand; coat-hanger, clothes-hanger; laundry-basket, washing-basket,
    laundry-hamper; clothes-airer, clothes-horse; clothes-airer, clothes-horse > drying rack; clothes-peg, clothespin; washing-machine,
    clothes-washer; tumble-dryer, clothes-dryer; fridge, refrigerator; deep-freezer > freezer; stove > cooker;
    cooker-hood, range-hood, extractor-hood; hob, cooktop; hoover > vacuum cleaner; bucket, pail; dustbin,
    rubbish-bin, trash-can, garbage-can; wastebasket, waste-bin; bin-bag, bin-liner, trash-bag, garbage-bag,
    rubbish-bag, refuse-sack; toilet-paper, toilet-roll, toilet-tissue; kitchen-roll, paper-towel; air-freshener,
    room-spray; washing-powder, laundry-detergent; fabric-softener, fabric-conditioner; washing-up-liquid,
    dish-soap, dishwashing-liquid; scourer, scouring-pad; tea-towel, dish-towel; washcloth, facecloth, face-cloth;
    flannel > washcloth; serviette, napkin; towel-rail, towel-rack; shower-head, shower-rose; bathtub > bath;
    wash-basin, hand-basin, bathroom-sink; lavatory > toilet; faucet > tap; space-heater > fan heater, electric
    heater; strongbox > safe; key-ring, key-chain; moneybox, piggy-bank; stepladder > ladder; storage-box,
    storage-bin; letterbox, mailbox; parasol, sun-umbrella`,
  kitchen: `
    saucepan > pot; frying-pan, skillet, frypan; griddle-pan, grill-pan; casserole-dish, oven-dish; baking-tray,
    baking-sheet, cookie-sheet; muffin-tin, muffin-pan, cupcake-pan; cake-tin, cake-pan; loaf-tin, bread-pan;
    fish-slice > spatula, turner; colander > strainer; sieve, strainer; sifter > sieve; chopping-board,
    cutting-board; tin-opener, can-opener; corkscrew, wine-opener; kitchen-scales, food-scale; measuring-jug,
    measuring-cup; jug, pitcher; mug > cup; tumbler > drinking glass; goblet > wine glass; drinking-bottle,
    drinks-bottle, sports-bottle; vacuum-flask, thermos; lunch-box, bento-box; food-container, food-storage-box;
    coffee-maker, coffee-machine; cafetiere, french-press; coffee-grinder, coffee-mill; pepper-mill, pepper-grinder;
    blender > liquidiser; hand-blender, stick-blender, immersion-blender; stand-mixer, food-mixer; juicer,
    juice-extractor; sandwich-toaster, sandwich-maker, toastie-maker; slow-cooker, crock-pot; deep-fryer,
    deep-fat-fryer; oven-glove, oven-mitt; apron, pinny; place-mat, table-mat; cutlery, flatware, silverware;
    crockery, dinnerware; serving-dish, serving-platter; salt-shaker, salt-cellar; baking-paper, parchment-paper,
    greaseproof-paper; tin-foil, aluminium-foil; clingfilm, cling-film, plastic-wrap, cling-wrap; resealable-bag,
    zip-bag; bread-bin, bread-box; dish-rack, dish-drainer; trivet > pot stand; egg-timer > kitchen timer`,
  garden: `
    lawnmower > mower; strimmer, string-trimmer, grass-trimmer, weed-whacker; hedge-trimmer, hedge-cutter;
    secateurs, pruning-shears, pruners; spade, shovel; wheelbarrow > garden cart; hosepipe, garden-hose; greenhouse,
    glasshouse; composter, compost-bin; potting-soil, potting-compost, potting-mix; plant-food > fertiliser;
    fertiliser > plant food; weedkiller, herbicide; insecticide, insect-killer, bug-spray; rat-poison, rodenticide;
    sun-lounger, sunbed; deckchair, beach-chair; barbecue > grill; fire-pit, fire-bowl; patio-heater,
    outdoor-heater; garden-shed, tool-shed; paddling-pool, wading-pool, kiddie-pool; nest-box, birdhouse; seesaw,
    teeter-totter; kerosene > paraffin`,
  "tools and building": `
    spanner, wrench; adjustable-spanner, adjustable-wrench, monkey-wrench; allen-key, hex-key; utility-knife,
    box-cutter, craft-knife; wire-cutters, side-cutters; spirit-level, bubble-level; tape-measure, measuring-tape;
    sandpaper, abrasive-paper; angle-grinder, disc-grinder; nail-gun, nailer; staple-gun, tacker; heat-gun,
    hot-air-gun; crowbar, pry-bar; sealant, caulk; super-glue, instant-glue; duct-tape, gaffer-tape; masking-tape,
    painters-tape; insulating-tape, electrical-tape; cable-tie, zip-tie; wall-plug, wall-anchor; door-handle,
    door-knob; toolbox, tool-chest; sawhorse, trestle; sack-truck, hand-truck; tarpaulin, tarp; pressure-washer,
    power-washer, jet-washer; multimeter, multi-tester; power-generator, genset; cable-reel, extension-reel;
    flashlight > torch; head-torch, headlamp; safety-glasses, safety-goggles; ear-defenders, ear-muffs; hard-hat,
    safety-helmet; hi-vis-vest, safety-vest; work-boots, safety-boots; plasterboard, drywall; chipboard,
    particle-board; skirting-board, baseboard; worktop, countertop; polystyrene, styrofoam; perspex, plexiglass,
    plexiglas; emulsion-paint, wall-paint; undercoat > primer; spackle > filler; white-spirit, mineral-spirits;
    lacquer, varnish; stopcock, shut-off-valve; consumer-unit, fuse-box; ironmongery > hardware`,
  food: `
    aubergine, eggplant, brinjal; courgette, zucchini; coriander, cilantro; chickpea, garbanzo; spring-onion,
    scallion, green-onion; mangetout, snow-pea; swede, rutabaga; beetroot, beet; arugula > rocket; capsicum > bell
    pepper; sweetcorn > corn; maize > corn; okra, bhindi; gherkin > pickle; peanut, groundnut; prawn, shrimp;
    crayfish, crawfish; minced-beef, ground-beef, beef-mince; tofu, bean-curd; crisps > potato chips; french-fries,
    potato-fries; biscuit, cookie; candy, sweets; candyfloss, cotton-candy; lollipop, lolly; ice-lolly, popsicle;
    jam > fruit spread, preserve; sultana, golden-raisin; cornflour, cornstarch; icing-sugar, powdered-sugar,
    confectioners-sugar; caster-sugar, superfine-sugar; baking-soda, bicarbonate-of-soda; treacle, molasses;
    semolina, sooji, rava; atta > wheat flour; gram-flour, besan, chickpea-flour; dal > lentils; ghee,
    clarified-butter; cumin, jeera; turmeric, haldi; porridge, oatmeal; wholemeal, whole-wheat; linseed, flaxseed;
    tomato-puree, tomato-paste; ketchup, tomato-ketchup; mayonnaise, mayo; stock-cube, bouillon-cube; broth > stock;
    tinned, canned; soda > soft drink, fizzy drink; fizzy-drink, soft-drink, carbonated-drink; sparkling-water,
    carbonated-water, soda-water; lager > beer; ale > beer; prosecco > sparkling wine; decaf, decaffeinated;
    herbal-tea, tisane; instant-coffee, soluble-coffee; double-cream, heavy-cream; nori > seaweed`,
  "cosmetics and health": `
    face-cream, facial-cream, facial-moisturizer; moisturizer > face cream, day cream, body lotion; face-wash,
    facial-cleanser, face-cleanser; exfoliator, scrub; body-wash, shower-gel; body-lotion, body-milk,
    body-moisturizer; hand-wash, hand-soap, liquid-soap; hand-cream, hand-lotion; lip-balm, lip-salve; lip-liner,
    lip-pencil; eyeliner, eye-pencil; kajal, kohl; brow-pencil, eyebrow-pencil; blusher > rouge; rouge > blusher;
    concealer > cover stick; makeup, cosmetics; makeup-remover > micellar water, cleansing water; makeup-bag,
    cosmetic-bag; wash-bag, toiletry-bag; cotton-buds, cotton-swabs; cotton-pads, cotton-rounds; nail-polish,
    nail-varnish, nail-lacquer, nail-enamel; nail-file, emery-board; nail-clippers, nail-cutter; perfume >
    fragrance, eau de parfum, eau de toilette; aftershave > cologne; deodorant, antiperspirant; sunscreen,
    sun-cream, sunblock, sun-lotion; self-tanner, fake-tan; hair-dye, hair-color, hair-colorant; hair-straightener,
    flat-iron, straightening-iron; curling-iron, curling-wand; hairdryer, blow-dryer; hair-clipper, hair-trimmer;
    electric-shaver, electric-razor; shaving-foam, shaving-cream; mouthwash, mouth-rinse; false-lashes,
    fake-eyelashes; sanitary-towel, sanitary-pad; hand-sanitizer, hand-gel; sticking-plaster, adhesive-bandage;
    painkiller, pain-relief, analgesic; paracetamol, acetaminophen; salbutamol, albuterol; food-supplement,
    dietary-supplement; blood-pressure-monitor, sphygmomanometer; walking-stick > cane; bathroom-scales, body-scale`,
  "office and school": `
    ballpoint-pen, biro; felt-tip > fiber pen, marker; highlighter, text-marker; mechanical-pencil,
    propelling-pencil; eraser > rubber; correction-fluid, white-out; drawing-pin, thumbtack, push-pin; sticky-notes,
    self-adhesive-notes; notepad, writing-pad, memo-pad; ring-binder > folder; lever-arch-file > ring binder;
    sheet-protector, plastic-wallet, punched-pocket; hole-punch, perforator; binder-clip, bulldog-clip,
    foldback-clip; sellotape > adhesive tape; sticky-tape, adhesive-tape; packing-tape, parcel-tape;
    padded-envelope, bubble-mailer; cardboard-box, shipping-box; printer-paper, copy-paper, copier-paper;
    paper-cutter, paper-trimmer, paper-guillotine; notice-board, bulletin-board, pinboard, cork-board; whiteboard,
    dry-erase-board; desk-tidy, desk-organizer; letter-tray, document-tray; planner > diary; diary > planner;
    name-badge, name-tag; ink-pad, stamp-pad; index-card, record-card; desk-pad, desk-mat; pencil-case, pen-case`,
  "toys and games": `
    soft-toy, stuffed-animal, plush-toy, cuddly-toy; teddy > teddy bear, plush bear; dollhouse > dolls house;
    building-blocks, building-bricks; jigsaw > puzzle; checkers > draughts; snooker > billiards; toy-train > train
    set; train-set, model-railway; rc-car, remote-controlled-car; push-scooter, kick-scooter; tricycle, trike;
    balance-bike, running-bike; modelling-clay, play-dough; coloured-pencils, colouring-pencils; skipping-rope,
    jump-rope; water-pistol, water-gun, squirt-gun; action-figure, toy-figure; fancy-dress > costume;
    noughts-and-crosses, tic-tac-toe; sandpit, sandbox; playhouse, wendy-house; drone, quadcopter; board-game,
    tabletop-game; marionette > puppet; plectrum, guitar-pick; mouth-organ, harmonica; drum-kit, drum-set`,
  "sports and outdoors": `
    soccer > football; soccer-cleats, football-boots; shin-pads, shin-guards; treadmill, running-machine;
    exercise-bike, stationary-bike; cross-trainer, elliptical-trainer; rowing-machine > rower; dumbbell > hand
    weight; exercise-ball, gym-ball, stability-ball; yoga-mat, exercise-mat; resistance-band, exercise-band;
    pull-up-bar, chin-up-bar; punchbag, punching-bag, boxing-bag; table-tennis, ping-pong; pool-table,
    billiard-table; inline-skates, rollerblades; sledge, sled, toboggan; bike, bicycle, push-bike; mudguard >
    fender; bike-helmet, cycle-helmet; inner-tube > bike tube; sleeping-mat, camping-mat, sleeping-pad; air-bed,
    air-mattress, inflatable-mattress; hiking-boots, walking-boots, trekking-boots; trekking-poles, walking-poles,
    hiking-poles; binoculars, field-glasses; fishing-rod, fishing-pole; life-jacket, life-vest, buoyancy-aid;
    swim-fins, flippers; arm-bands, water-wings; swimming-cap, bathing-cap; whey > protein powder`,
  pets: `
    leash > dog lead; dog-lead, dog-leash; dog-bed, dog-basket; kennel > dog house; dog-crate, dog-cage;
    dog-biscuits, dog-treats; litter-tray, litter-box; cat-flap, cat-door; scratching-post, cat-tree; pet-carrier,
    cat-carrier, transport-box; rabbit-hutch, rabbit-cage; aquarium, fish-tank; terrarium, vivarium; bird-seed,
    bird-food; budgie, budgerigar; ladybird, ladybug; poop-bag, poo-bag; puppy-pad, training-pad; flea-treatment >
    flea drops; dog-coat, dog-jacket`,
  baby: `
    nappy, diaper; nappy-bag, diaper-bag, changing-bag; changing-mat, changing-pad; baby-wipes, wet-wipes;
    baby-bottle, feeding-bottle, nursing-bottle; pacifier, soother; pushchair, stroller; buggy > pushchair,
    stroller; pram, baby-carriage; crib > cot; cot > crib, baby bed; bassinet, moses-basket; babygrow, onesie,
    sleepsuit; high-chair, feeding-chair; baby-bouncer, bouncer-seat; baby-sling, baby-carrier;
    child-seat, car-seat; travel-cot, portable-crib; playpen, play-yard; stair-gate, safety-gate, baby-gate;
    teether, teething-ring; infant-formula, baby-milk; baby-monitor, baby-phone; nursing-bra, maternity-bra;
    play-mat, activity-mat`,
  "car and motorcycle": `
    windscreen-wiper, windshield-wiper, wiper-blade; wing-mirror, side-mirror, door-mirror; number-plate,
    license-plate; turn-signal > indicator; headlight > headlamp; tail-light, rear-light; hubcap, wheel-trim;
    engine-oil, motor-oil; antifreeze > coolant; screenwash, washer-fluid; jump-leads, jumper-cables,
    booster-cables; roof-rack, roof-bars; roof-box, roof-cargo-box; tow-bar, tow-hitch; bike-rack, bike-carrier,
    cycle-carrier; jerry-can, fuel-can, petrol-can; petrol, gasoline; lorry, truck; caravan, travel-trailer;
    motorbike, motorcycle; car-mat, car-floor-mat; boot-liner, trunk-liner; phone-mount, phone-holder; car-stereo,
    car-radio; crash-helmet, motorcycle-helmet; shock-absorber > damper; silencer > muffler; tyre-inflator,
    tyre-pump; sun-shade > sun visor`,
};

/** The built-in synonyms as rules. */
export function builtInSynonyms(): SynonymRule[] {
  return [SPELLINGS, SIZES, ...Object.values(THINGS)].flatMap(rulesOf);
}

function rulesOf(list: string): SynonymRule[] {
  const textsOf = (texts: string): string[] => texts.split(",").map((text) => text.trim().replace(/\s+/g, " "));
  return list.split(";").map((group) => {
    const [inputs, outputs = inputs] = group.split(">").map(textsOf);
    return { inputs: inputs!.filter((text) => !text.includes(" ")), outputs: outputs! };
  });
}
