// Swedish. Snowball knows endings by "ä", "å" and "ö" too seldom to miss them in folded words.

import { inflected, type LanguageRules, loadStemmer, withoutEnding, wordsOf } from "../language-rules.js";

const ENDINGS = wordsOf("ornas arnas ernas orna arna erna ans ens ets or ar er en et na an a e");

/** Without the endings of number, the article at the end, and those of adjectives; "cykl" of "cykel" and "cyklar". */
function lightForm(word: string): string {
  const found = withoutEnding(/[eo][lr]n$/.test(word) ? word.slice(0, -1) : word, ENDINGS);
  const bare =
    found === word && word.length > 4 && /[aeiou][bdfglnv]t$|[is][gk]t$/.test(word) ? word.slice(0, -1) : found;
  return bare.length > 4 ? bare.replace(/([^aeiouy])el$/, "$1l") : bare;
}

export async function swedishRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("swedish");
  return {
    tag: "sv",
    id: "swedish-1",
    stem: (word) => snowball(lightForm(word)),
    lightForm,
    stopWords: `
      den det de en ett och eller men som att av pa i till for fran med om vid under over mellan mot hos ur per nar efter innan
      jag du han hon vi ni min mitt mina din ditt dina sin sitt sina var vart denna detta dessa inte sig`,
    titles: {
      head: "last",
      boundaries: "for till med utan fran av i inkl inklusive passar kompatibel kompatibelt avsedd vid mot hos ur samt",
      ends: "pa en ett den det de som",
      joiners: "och eller",
      attributes: `
        ${inflected(
          `svart gron gul brun silvrig gyllene ljusbla morkbla ljusgra morkgra ljusgron morkgron randig rutig monstrad fargad blank hog lang
          lag bred smal tjock tunn rund fyrkantig rektangular oval platt djup tung mjuk hard stark
          begagnad kompakt barbar vikbar hopfallbar justerbar utdragbar stapelbar avtagbar uppladdningsbar ateranvandbar tvattbar elektrisk
          elektronisk automatisk manuell mekanisk digital analog optisk tradlos sladdlos vattentat vattenavvisande vindtat rostfri halkfri
          fodrad stickad vavd broderad tryckt massiv naturlig ekologisk vegansk vegetarisk glutenfri laktosfri sockerfri alkoholfri
          farsk torkad fryst malen rostad enkel dubbel universal professionell klassisk modern elegant sportig svensk engelsk tysk
          fransk italiensk magnetisk uppblasbar varm kall transparent genomskinlig klar matt`,
          "- t a",
        )}
        vit vitt vita rod rott roda bla blatt blaa gra gratt graa rosa lila orange turkos beige cerise magenta cyan marinbla vinrod
        flerfargad silver guld koppar brons massing titan antracit elfenben kaki oliv bordeaux petrol mint creme liten litet lilla sma
        stor stort stora ny nytt nya gammal gammalt gamla kort korta latt latta vatt original extra stal jarn aluminium metall krom tra
        ek bok furu bjork valnot bambu teak plast akryl keramik porslin gummi silikon nylon polyester lader skinn konstlader mocka bomull
        linne ull merino sammet siden jeans denim filt fleece kork rotting marmor betong glas herr dam barn flickor pojkar herrar damer
        baby junior senior vuxen vuxna kvinnor man hund katt maxi midi micro deluxe lite basic standard classic bio eko set inomhus
        utomhus`,
    },
    compounds: {
      links: "- s o u e a",
      leastEnd: 3,
      noFront: /^(?:for|be|o|re|de|pro|in|av|upp|ut|om|pa)$|.{3}(?:for)$/,
    },
    measures: {
      units: `
        hp hk hastkrafter
        in tum tums
        ft fot
        m2 kvadratmeter kvm
        tonne ton
        m3 kubikmeter
        cup kopp koppar
        s sekund sekunder sek
        min minut minuter
        h timme timmar tim
        day dag dagar
        week vecka veckor
        month manad manader
        year ar
        percent procent
        pc st styck stycken delar delad bitar
        dozen dussin
        pk paket forpackning forpackningar
        seat sits sitsig sittplatser sittplats platser
        person personer personers manna
        player spelare
        drawer lada lador
        door dorrar dorr dorrars
        shelf hylla hyllor hyllplan
        tier vaning vaningar plan
        step steg stegs
        panel paneler
        pocket ficka fickor fack
        slice skiva skivor
        burner lagor lagig brannare plattor
        wheel hjul hjulig
        speed vaxlar vaxlad hastigheter
        string strangar strangad
        key tangent tangenter knappar
        blade blad
        hole hal
        ring ringar
        pair par
        layer lager
        zone zon zoner
        channel kanal kanaler
        port portar
        core karnor
        outlet uttag
        sheet ark
        page sida sidor
        room rum`,
      numbers: "en/ett tva tre fyra fem sex sju atta nio tio elva tolv",
      packsOf: "paket med, forpackning med, pack om, set om, set med, lada med, kartong med, pase med",
      packsBehind: /([0-9]{1,6})[ -]?(?:pack|pac|set)\b/y,
    },
    attributes: {
      title: "titel namn produktnamn artikelnamn benamning rubrik",
      category: "kategori kategorier produktkategori produkttyp varugrupp avdelning",
      identifier: "artikelnummer artikelnr artnr produktnummer modellnummer bestallningsnummer streckkod",
    },
    probes: `
      bord stol gardin spegel stekpanna kniv kaffe soppa slang gräsmatta tomat blomma hammare skruv färg stege
      lampa ljus kabel brandvarnare rock jacka halsduk bälte sko stövel strumpa hatt örhänge klocka ring handväska
      läppstift hår rakhyvel nagellack vitamin hosta knä blodtryck bebis pussel nalle skola hund katt fisk fågel
      cykel batteri motorolja tak matta racket metspö simning tält sovsäck kudde resväska gitarr piano skiva trumma
      spelkonsol mus dator skrivare telefon kamera minne högtalare penna papper kalender låda roman kokbok atlas film
      oliv te choklad lax vin juice tårta frukost tvättmedel dammsugare handduk dusch symaskin ull pensel lera
      skatt avtal konto domstol tåg hotell karta flygplats väder hav sol vulkan hjärta protein studie operation
      slott filosofi opera skulptur jobb språk tentamen lärare fotboll schack maraton kortspel server lösenord fil program`,
    alphabet: ["z å ä/æ ö/ø"],
  };
}
