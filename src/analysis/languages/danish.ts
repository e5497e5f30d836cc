// Danish.

import { inflected, type LanguageRules, loadStemmer, scandinavianForm, wordsOf } from "../language-rules.js";

const ENDINGS = wordsOf("ernes enes erne ene ers ens ets er en et e");

export async function danishRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("danish");
  return {
    tag: "da",
    id: "danish-1",
    stem: (word) => snowball(scandinavianForm(word, ENDINGS)),
    lightForm: (word) => scandinavianForm(word, ENDINGS),
    normalization: { digraphs: { å: "aa", ø: "oe" } },
    stopWords: `
      den det de en et og eller men som at af pa i til for fra med om ved under over mellem mod hos ud per nar efter
      jeg du han hun vi man min mit mine din dit dine sin sit sine vores jeres denne dette disse er ikke sig der`,
    titles: {
      head: "last",
      boundaries: "til for med uden fra af i inkl inklusive passer kompatibel kompatibelt egnet ved mod hos samt",
      ends: "pa en et den det de som",
      joiners: "og eller",
      attributes: `
        ${inflected(
          `sort gron gul brun lysebla morkebla lysegra morkegra lysegron morkegron stribet ternet monstret farvet blank hoj lang bred smal
          tyk tynd rund firkantet oval flad dyb tung blod hard staerk brugt kompakt baerbar foldbar sammenklappelig justerbar
          udtraekkelig stabelbar aftagelig genopladelig genanvendelig vaskbar elektrisk elektronisk automatisk manuel mekanisk digital
          analog optisk tradlos ledningsfri vandtaet vandafvisende vindtaet rustfri skridsikker foret strikket vaevet broderet trykt massiv
          naturlig okologisk vegansk vegetarisk glutenfri laktosefri sukkerfri alkoholfri frisk torret frossen malet ristet enkel dobbelt
          universal professionel klassisk moderne elegant sporty dansk engelsk tysk fransk italiensk magnetisk oppustelig varm kold
          transparent gennemsigtig klar`,
          "- t e",
        )}
        hvid hvidt hvide rod rodt rode bla blat gra grat rosa lilla orange turkis beige magenta cyan marinebla vinrod mat matte
        flerfarvet solv guld kobber bronze messing titan antracit elfenben kaki oliven bordeaux petrol mint creme lille sma stor stort
        store ny nyt nye gammel gammelt gamle kort korte let lette original originale ekstra stal jern aluminium metal krom trae eg bog
        fyr birk valnod bambus teak plast plastik akryl keramik porcelaen gummi silikone nylon polyester laeder kunstlaeder ruskind
        bomuld hor uld merino flojl silke jeans denim filt fleece kork rattan marmor beton glas herre dame born herrer damer piger drenge
        pige dreng baby junior senior voksen voksne kvinder maend hund kat maxi midi micro deluxe lite basic standard classic bio oko
        saet indendors udendors`,
    },
    compounds: { links: "- s e er", leastEnd: 3, noFront: /^(?:for|be|u|re|de|pro|in|af|op|ud|om|pa)$|.{3}(?:for)$/ },
    measures: {
      units: `
        hp hk hestekraefter
        in tommer tomme tommers
        ft fod
        m2 kvadratmeter kvm
        tonne ton
        m3 kubikmeter
        cup kop kopper
        s sekund sekunder sek
        min minut minutter
        h time timer
        day dag dage
        week uge uger
        month maned maneder
        year ar
        percent procent
        pc stk styk stykker dele dels
        dozen dusin
        pk pakke pakker pak
        seat siddepladser siddeplads pladser
        person personer personers pers mands
        player spiller spillere
        drawer skuffe skuffer
        door dor dore dors
        shelf hylde hylder
        tier etage etager
        step trin trins
        panel paneler
        pocket lomme lommer
        slice skive skiver
        burner blus braendere
        wheel hjul
        speed gear hastigheder
        string strenge
        key tast taster tangenter
        blade klinge klinger
        hole hul huller
        ring ringe
        pair par
        layer lag lags
        zone zoner
        channel kanal kanaler
        port porte
        core kerner
        outlet stikkontakt stikkontakter udtag
        sheet ark
        page side sider
        room vaerelse vaerelser`,
      numbers: "en/et to tre fire fem seks syv otte ni ti elleve tolv",
      packsOf: "pakke med, saet med, saet af, kasse med, pose med, aeske med, pakke a",
      packsBehind: /([0-9]{1,6})[ -]?(?:pack|pak|pakke|saet)\b/y,
    },
    attributes: {
      title: "titel navn produktnavn varenavn betegnelse",
      category: "kategori kategorier produktkategori produkttype varegruppe afdeling",
      identifier: "varenummer varenr artikelnummer produktnummer modelnummer bestillingsnummer stregkode",
    },
    probes: `
      bord stol gardin spejl pande kniv kaffe suppe haveslange græsplæne tomat blomst hammer skrue maling stige
      lampe stearinlys kabel røgalarm frakke jakke tørklæde bælte sko støvle sok hat ørering ur ring håndtaske
      læbestift hår barbermaskine neglelak vitamin hoste knæ blodtryk baby puslespil bamse skole hund kat fisk fugl
      cykel batteri motorolie tag måtte ketsjer fiskestang svømning telt sovepose pude kuffert guitar klaver plade tromme
      spillekonsol mus computer printer telefon kamera hukommelse højttaler kuglepen papir kalender æske roman kogebog atlas film
      oliven te chokolade laks vin juice kage morgenmad vaskemiddel støvsuger håndklæde bruser symaskine uld pensel ler
      skat kontrakt konto domstol tog hotel kort lufthavn vejr hav sol vulkan hjerte protein studie operation
      slot filosofi opera skulptur job sprog eksamen lærer fodbold skak maraton kortspil server adgangskode fil program`,
    alphabet: ["z æ/ä ø/ö å"],
  };
}
