// Finnish. Snowball takes off cases, plurals and owners alone, so its stems are light forms too.

import { inflected, type LanguageRules, loadStemmer } from "../language-rules.js";

export async function finnishRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("finnish");
  // It leaves the vowel of "tuoli", but not that of "tuolin".
  const stem = (word: string): string => {
    const found = snowball(word);
    return found.length > 4 ? found.replace(/[aeiouy]$/, "") : found;
  };
  return {
    tag: "fi",
    id: "finnish-1",
    stem,
    lightForm: stem,
    stopWords: `
      ja tai seka myos mutta kun kuin etta jos se ne tama tata taman nama joka jotka mika mita han hanen mina sina me te he minun sinun
      on ovat oli ei en et ole kanssa alla paalla ennen jalkeen kautta noin`,
    titles: {
      head: "last",
      boundaries: "varten sopii soveltuu yhteensopiva ilman kanssa sisaltaa",
      ends: "on jossa jonka",
      joiners: "ja tai seka",
      attributes: `
        ${inflected(
          `musta valkoinen harmaa punainen sininen vihrea keltainen ruskea hopea kulta kupari pronssi oranssi violetti liila pinkki turkoosi
          beige kirjava raidallinen ruudullinen kuviollinen varillinen kiiltava`,
          "- n",
        )}
        mustat mustia valkoiset punaiset siniset vihreat keltaiset ruskeat harmaat hopeanvarinen kullanvarinen tummansininen vaaleansininen
        tummanharmaa vaaleanharmaa tummanvihrea vaaleanvihrea vaaleanpunainen viininpunainen vaaleanruskea tummanruskea monivarinen matta
        kirkas lapinakyva hopeinen kultainen antrasiitti norsunluu khaki pieni pienet iso isot suuri suuret pitka pitkat lyhyt lyhyet levea
        leveat kapea kapeat paksu ohut korkea matala syva pyorea pyoreat soikea littea kevyt painava pehmea kova vahva uusi uudet kaytetty
        vanha alkuperainen kompakti kannettava taitettava saadettava pinottava irrotettava ladattava pestava uudelleenkaytettava sahkoinen
        elektroninen automaattinen manuaalinen mekaaninen digitaalinen analoginen optinen langaton johdoton vedenpitava vedenkestava
        tuulenpitava ruostumaton liukumaton vuorattu neulottu kudottu brodeerattu painettu massiivinen luonnollinen ekologinen vegaaninen
        gluteeniton laktoositon sokeriton alkoholiton tuore kuivattu pakastettu jauhettu paahdettu yksinkertainen kaksinkertainen
        universaali ammattimainen klassinen moderni tyylikas urheilullinen suomalainen saksalainen ranskalainen italialainen englantilainen
        magneettinen puhallettava lammin kylma teras rauta alumiini metalli kromi puu puinen tammi koivu manty pahkina bambu tiikki muovi
        muovinen akryyli keramiikka posliini kumi silikoni nailon polyesteri nahka nahkainen keinonahka mokka puuvilla pellava villa merino
        sametti silkki farkku denim huopa fleece korkki rottinki marmori betoni lasi lasinen miesten naisten lasten lapsi miehet naiset
        tytto tyttojen poika poikien vauva vauvan junior senior aikuisten aikuinen koiran kissan koira kissa maxi midi micro deluxe lite
        basic standard classic bio eko setti sisa ulko`,
    },
    compounds: { links: "- n en", leastEnd: 4, noFront: /^(?:epa|yli|ali)$/ },
    measures: {
      units: `
        v voltti volttia voltin
        w watti wattia watin
        kw kilowatti kilowattia
        hp hv hevosvoima hevosvoimaa
        a ampeeri ampeeria
        m metri metria metrin
        km kilometri kilometria
        cm sentti senttia senttimetri senttimetria sentin
        mm milli millia millimetri millimetria millimetrin
        in tuuma tuumaa tuuman tuumainen
        ft jalka jalkaa
        m2 nelio neliota neliometri neliometria
        kg kiloa kilon kilogramma kilogrammaa
        g gramma grammaa gramman
        mg milligramma milligrammaa
        tonne tonni tonnia
        l litra litraa litran litrainen
        dl desi desilitra desilitraa
        cl senttilitra senttilitraa
        ml millilitra millilitraa
        m3 kuutio kuutiota kuutiometri kuutiometria
        cup kuppi kuppia kupin
        s sekunti sekuntia
        min minuutti minuuttia
        h tunti tuntia tunnin
        day paiva paivaa paivan
        week viikko viikkoa viikon
        month kuukausi kuukautta kuukauden kk
        year vuosi vuotta vuoden
        percent prosentti prosenttia
        pc kpl kappale kappaletta osa osaa osainen
        dozen tusina tusinaa
        pk pakkaus pakkausta pakkauksen pkt paketti pakettia
        seat istuttava istuin istuinta istumapaikkaa
        person henkilo henkiloa henkilon hengen hlo
        player pelaaja pelaajaa pelaajan
        drawer laatikko laatikkoa laatikon
        door ovi ovea oven ovinen
        shelf hylly hyllya hyllyn
        tier kerros kerrosta
        step askelma askelmaa askelmainen
        panel paneeli paneelia
        pocket tasku taskua
        slice viipale viipaletta
        burner poltin poltinta
        wheel pyora pyoraa
        speed vaihde vaihdetta vaihteinen nopeutta
        string kieli kielinen kielta
        key nappain nappainta
        blade tera teraa terainen
        hole reika reikaa
        ring rengas rengasta
        pair pari paria parin
        channel kanava kanavaa
        port portti porttia
        outlet pistorasia pistorasiaa
        sheet arkki arkkia
        page sivu sivua
        room huone huonetta`,
      numbers:
        "yksi/yhden kaksi/kahden kolme/kolmen nelja/neljan viisi/viiden kuusi/kuuden seitseman kahdeksan yhdeksan kymmenen yksitoista kaksitoista",
      packsBehind: /([0-9]{1,6})[ -]?(?:kpl pakkaus|kpl paketti|pack|pakkaus)\b/y,
    },
    attributes: {
      title: "nimi otsikko tuotenimi tuotteennimi nimike",
      category: "kategoria kategoriat tuoteryhma tuotekategoria tuotetyyppi osasto luokka",
      identifier: "tuotenumero tuotekoodi tuotenro mallinumero viivakoodi",
    },
    probes: `
      pöytä tuoli verho peili paistinpannu veitsi kahvi keitto puutarhaletku nurmikko tomaatti kukka vasara ruuvi maali tikkaat
      lamppu kynttilä kaapeli palovaroitin takki pusero huivi vyö kenkä saapas sukka hattu korvakoru kello sormus käsilaukku
      huulipuna hiukset partakone kynsilakka vitamiini yskä polvi verenpaine vauva palapeli nalle koulu koira kissa kala lintu
      polkupyörä akku öljy katto matto maila onkivapa uinti teltta uni tyyny matkalaukku kitara piano levy rumpu
      pelikonsoli hiiri tietokone tulostin puhelin kamera muisti kaiutin kynä paperi kalenteri laatikko romaani keittokirja kartasto elokuva
      oliivi tee suklaa lohi viini mehu kakku aamiainen pesuaine pölynimuri pyyhe suihku ompelukone villa pensseli savi
      vero sopimus tili tuomioistuin juna hotelli kartta lentokenttä sää meri aurinko tulivuori sydän proteiini tutkimus leikkaus
      linna filosofia ooppera veistos työ kieli koe opettaja jalkapallo shakki maraton korttipeli palvelin salasana tiedosto ohjelma`,
    alphabet: ["z å ä/æ ö/ø"],
  };
}
