// Norwegian, as most write it (Bokmål).

import { inflected, type LanguageRules, loadStemmer, scandinavianForm, wordsOf } from "../language-rules.js";

const ENDINGS = wordsOf("enes ene ers ens ets er en et e a");

export async function norwegianRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("norwegian");
  return {
    tag: "nb",
    id: "norwegian-1",
    stem: (word) => snowball(scandinavianForm(word, ENDINGS)),
    lightForm: (word) => scandinavianForm(word, ENDINGS),
    normalization: { digraphs: { å: "aa", ø: "oe" } },
    stopWords: `
      den det de en et ei og eller men som at av pa i til for fra med om ved under over mellom mot hos ut per nar etter
      jeg du han hun vi man min mitt mine din ditt dine sin sitt sine var vart denne dette disse er ikke seg der`,
    titles: {
      head: "last",
      boundaries:
        "til for med uten fra av i inkl inkludert inklusive passer kompatibel kompatibelt egnet ved mot hos samt",
      ends: "pa en et ei den det de som",
      joiners: "og eller",
      attributes: `
        ${inflected(
          `svart gronn gul brun lysebla morkebla lysegra morkegra lysegronn morkegronn stripet rutet monstret farget blank hoy lang bred
          smal tykk tynn rund firkantet oval flat dyp tung myk hard sterk brukt kompakt baerbar sammenleggbar justerbar uttrekkbar
          stablebar avtakbar oppladbar gjenbrukbar vaskbar elektrisk elektronisk automatisk manuell mekanisk digital analog optisk
          tradlos ledningsfri vanntett vannavvisende vindtett rustfri sklisikker foret strikket vevd brodert trykt massiv naturlig
          okologisk vegansk vegetarisk glutenfri laktosefri sukkerfri alkoholfri fersk torket frossen malt ristet enkel dobbel universal
          profesjonell klassisk moderne elegant sporty norsk engelsk tysk fransk italiensk magnetisk oppblasbar varm kald transparent
          gjennomsiktig klar`,
          "- t e",
        )}
        hvit hvitt hvite gront rod rodt rode bla blatt gra gratt rosa lilla oransje turkis beige magenta cyan marinebla vinrod matt matte
        flerfarget solv gull kobber bronse messing titan antrasitt elfenben kaki oliven burgunder petrol mint krem liten lite lita sma stor
        stort store ny nytt nye gammel gammelt gamle kort korte lett lette original originale ekstra stal jern aluminium metall krom tre
        eik bok furu bjork valnott bambus teak plast akryl keramikk porselen gummi silikon nylon polyester skinn laer kunstskinn semsket
        bomull lin ull merino floyel silke jeans denim filt fleece kork rotting marmor betong glass herre dame barn herrer damer jenter
        gutter jente gutt baby junior senior voksen voksne kvinner menn hund katt maxi midi micro deluxe basic standard classic bio oko
        sett innendors utendors`,
    },
    compounds: {
      links: "- s e er",
      leastEnd: 3,
      noFront: /^(?:for|be|u|re|de|pro|in|inn|av|opp|ut|om|pa)$|.{3}(?:for)$/,
    },
    measures: {
      units: `
        hp hk hestekrefter
        in tommer tomme tommers
        ft fot
        m2 kvadratmeter kvm
        tonne tonn
        dl desiliter
        m3 kubikkmeter
        cup kopp kopper
        s sekund sekunder sek
        min minutt minutter
        h time timer
        day dag dager
        week uke uker
        month maned maneder
        year ar
        percent prosent
        pc stk stykk stykker deler dels biter
        dozen dusin
        pk pakke pakker pakning
        seat seter sitteplasser sitteplass plasser
        person personer personers pers manns
        player spiller spillere
        drawer skuff skuffer
        door dor dorer dors
        shelf hylle hyller
        tier etasje etasjer
        step trinn trinns
        panel paneler
        pocket lomme lommer
        slice skive skiver
        burner bluss brennere
        wheel hjul
        speed gir hastigheter
        string strenger strengers
        key tast taster tangenter
        blade blad
        hole hull
        ring ringer
        pair par
        layer lag lags
        zone soner
        channel kanal kanaler
        port porter
        core kjerner
        outlet stikkontakt stikkontakter uttak
        sheet ark
        page side sider
        room rom`,
      numbers: "en/ett/ei to tre fire fem seks sju/syv atte ni ti elleve tolv",
      packsOf: "pakke med, sett med, sett av, eske med, pose med, kasse med, pakke a",
      packsBehind: /([0-9]{1,6})[ -]?(?:pack|pakk|pakning|pakke|sett)\b/y,
    },
    attributes: {
      title: "tittel navn produktnavn varenavn betegnelse",
      category: "kategori kategorier produktkategori produkttype varegruppe avdeling",
      identifier: "varenummer varenr artikkelnummer artnr produktnummer modellnummer strekkode",
    },
    probes: `
      bord stol gardin speil stekepanne kniv kaffe suppe hageslange gressplen tomat blomst hammer skrue maling stige
      lampe stearinlys kabel røykvarsler frakk jakke skjerf belte sko støvel sokk hatt ørering klokke ring håndveske
      leppestift hår barbermaskin neglelakk vitamin hoste kne blodtrykk baby puslespill bamse skole hund katt fisk fugl
      sykkel batteri motorolje tak matte racket fiskestang svømming telt sovepose pute koffert gitar piano plate tromme
      spillkonsoll mus datamaskin skriver telefon kamera minne høyttaler penn papir kalender eske roman kokebok atlas film
      oliven te sjokolade laks vin juice kake frokost vaskemiddel støvsuger håndkle dusj symaskin ull pensel leire
      skatt kontrakt konto domstol tog hotell kart flyplass vær hav sol vulkan hjerte protein studie operasjon
      slott filosofi opera skulptur jobb språk eksamen lærer fotball sjakk maraton kortspill server passord fil program`,
    alphabet: ["z æ/ä ø/ö å"],
  };
}
