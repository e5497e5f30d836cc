// German. Endings are taken off folded words, because umlauts are typed in three ways; so "Häuser" and "Haus" meet without further rules.

import { inflected, type LanguageRules, withoutEnding, wordsOf } from "../language-rules.js";

const ENDINGS_OF_ADJECTIVES = "- e er es en em";
const LIGHT_ENDINGS = wordsOf("em en es e");

/** Nouns, also as ends of longer ones, with a plural in "er". Behind others, "er" makes a noun of a verb: "Drucker". */
const NOUNS_IN_ER =
  /(?:band|bild|blatt|brett|buch|dach|dorf|ei|fach|fass|feld|gesicht|gewand|glas|glied|grab|gut|haus|holz|horn|huhn|kalb|kind|kleid|korn|kraut|lamm|land|licht|lied|loch|mann|nest|pfand|rad|rind|schild|schloss|schwert|strauch|tal|tuch|volk|wald|wort)$/;
const ADJECTIVES =
  /(?:isch|ig|lich|bar|sam|los|haft|voll|frei|dicht|fest|arm|reich|ell|end|iert|elt|legt|^ge.+t|^ge.+en|froren|weiss|schwarz|rot|blau|grun|gelb|grau|braun|klein|gross|neu|alt|^lang|kurz|breit|schmal|dick|dunn|weich|hart|hell|dunkel|rund|bunt|warm|kalt|fein|roh|frisch|suss|scharf|mild|leicht|schwer|stark|tief|^hoh|flach|glatt|matt|jung|deutsch)$/;

/** Without the endings of number and case, and those of adjectives. */
function lightForm(word: string): string {
  if (word.length < 4) return word;
  const plain = /(?:innen|ern|ln)$/.test(word) ? word.slice(0, word.endsWith("innen") ? -3 : -1) : word;
  if (plain.endsWith("alien")) return plain.slice(0, -3);
  const found = withoutEnding(plain, LIGHT_ENDINGS);
  const bare = found.endsWith("er") ? found.slice(0, -2) : found;
  return withoutS(NOUNS_IN_ER.test(bare) || ADJECTIVES.test(bare) ? bare : found);
}

/** Of "hotels" and "fotos"; not of "haus", "preis". "bus" of "busse". */
function withoutS(word: string): string {
  if (word.endsWith("ss")) return word.length > 3 ? word.slice(0, -1) : word;
  if (word.length < 5) return /[dpty]s$/.test(word) && word.length === 4 ? word.slice(0, -1) : word;
  return /(?:[bcdfgklmnoprtwy]|[^ae]a|[^ae]i)s$/.test(word) ? word.slice(0, -1) : word;
}

/** The light form without what makes a noun of a verb, an adjective of a noun, or a singular from Latin: "museum" meets "museen". */
function stem(word: string): string {
  const light = lightForm(word);
  if (light.length > 4 && /[^g]a$|[^a]um$/.test(light)) return light.slice(0, light.endsWith("a") ? -1 : -2);
  if (/(?:e|[^e]i)er$/.test(light)) return light;
  return withoutS(withoutEnding(light, DERIVED));
}

const DERIVED = wordsOf("erin er en");

export async function germanRules(): Promise<LanguageRules> {
  return {
    tag: "de",
    id: "german-1",
    stem,
    lightForm,
    stopWords: `
      der die das den dem des ein eine einen einem einer eines und oder aber am an auf aus bei bis durch fur gegen im in ins ist mit
      nach sich sind seit um vom von vor zu zum zur als auch wie ich du er sie es wir ihr man mein meine dein deine sein seine dieser
      diese dieses`,
    titles: {
      head: "last",
      boundaries: `
        fur passend passende passender passendes geeignet kompatibel mit ohne von vom inkl inklusive zum zur bei gegen ab aus in im ins
        nach wider`,
      ends: "auf am an der die das den dem des ein eine einen einem einer als wie",
      joiners: "und oder",
      attributes: `
        ${inflected(
          `schwarz weiss grau rot blau grun gelb braun violett silbern golden hellblau dunkelblau hellgrau dunkelgrau hellgrun dunkelgrun
          dunkelrot hellbraun dunkelbraun bunt farbig mehrfarbig einfarbig gemustert gestreift kariert transparent durchsichtig klar matt
          glanzend hell klein gross lang kurz breit schmal dick dunn hoch tief flach rund eckig quadratisch rechteckig oval
          schwer leicht weich hart stark neu gebraucht generaluberholt original kompakt tragbar mobil faltbar klappbar zusammenklappbar
          hohenverstellbar verstellbar ausziehbar stapelbar abnehmbar wiederaufladbar wiederverwendbar waschbar elektrisch elektronisch
          automatisch manuell mechanisch digital analog optisch kabellos drahtlos schnurlos kabelgebunden wasserdicht wasserfest
          spritzwassergeschutzt wetterfest winddicht rostfrei bruchfest rutschfest hitzebestandig holzern metallisch gepolstert
          gefuttert gestrickt gewebt bestickt bedruckt handgemacht massiv echt rein naturlich biologisch vegan vegetarisch glutenfrei
          laktosefrei zuckerfrei alkoholfrei frisch getrocknet gefroren gemahlen gerostet einfach doppelt dreifach universal universell
          professionell klassisch modern elegant sportlich deutsch englisch franzosisch italienisch magnetisch aufblasbar
          selbstklebend geruchlos warm kalt armellos langarmlig kurzarmlig`,
          ENDINGS_OF_ADJECTIVES,
        )}
        hohe hoher hohes hohen dunkel dunkle dunkler dunkles dunklen teuer sauer silber gold kupfer bronze messing titan turkis orange
        lila rosa pink magenta cyan beige creme ivory khaki oliv anthrazit bordeaux petrol mint weinrot mittel edelstahl stahl eisen
        aluminium alu metall chrom holz massivholz eiche buche kiefer nussbaum walnuss akazie bambus teak kunststoff plastik acryl keramik
        porzellan gummi silikon nylon polyester leder kunstleder echtleder wildleder baumwolle leinen wolle merino samt seide jeans denim
        filz fleece kork rattan marmor beton herren damen kinder jungen madchen baby babys erwachsene erwachsenen senioren frauen manner
        kids hunde katzen maxi midi micro deluxe lite light basic standard classic bio eco set funk optik design indoor outdoor innen
        aussen`,
    },
    compounds: {
      links: "- s n en es e er ns ens",
      leastEnd: 3,
      noFront:
        /^(?:ver|be|ge|er|ent|zer|un|ur|miss|pro|re|de|in|trans|para|kon|ex|aus|ein|auf|an|ab|vor|um)$|.{3}(?:ver|zer|ent|ge|be)$/,
    },
    measures: {
      units: `
        hp ps pferdestarke pferdestarken
        ah amperestunde amperestunden
        mah milliamperestunde milliamperestunden
        kwh kilowattstunde kilowattstunden
        wh wattstunde wattstunden
        kcal kilokalorie kilokalorien
        m metern
        km kilometern
        dm dezimeter dezimetern
        cm zentimeter zentimetern
        mm millimetern
        in zoll zollig zollige zolliger zolliges
        m2 qm quadratmeter quadratmetern
        cm2 quadratzentimeter
        kg kilogramm
        g gramm
        mg milligramm
        tonne t tonnen
        lb pfund
        l litern
        dl deziliter
        cl zentiliter
        ml millilitern
        m3 kubikmeter kubikmetern
        cup tasse tassen
        s sekunde sekunden sek
        min minuten
        h stunde stunden std
        day tag tage tagen tagig
        week woche wochen
        month monat monate monaten
        year jahr jahre jahren jahrig jahrige jahriger
        percent prozent
        rpm u/min
        pc stuck stucke stucken stk st teilig teilige teiliger teiliges teile teilen
        dozen dutzend
        pk packung packungen pckg pkg
        seat sitzer sitzig sitzige sitzplatz sitzplatze sitzplatzen sitze platze
        person personen mann
        player spieler spielern
        drawer schublade schubladen
        door turig turige turiger turiges turen
        shelf einlegeboden fachboden regalboden boden
        tier etage etagen etagig ebenen
        step stufe stufen stufig stufige
        panel paneel paneele
        pocket fach facher tasche taschen
        slice scheibe scheiben
        burner flammig flammige kochfeld kochfelder
        wheel rad rader radrig
        speed gang gange gangen
        string saite saiten saitig
        key taste tasten
        blade klinge klingen klingig
        hole loch locher
        pair paar paare paaren
        ply lagig lagige lagen lage
        layer schicht schichten
        zone zonen
        channel kanal kanale kanalen
        port anschluss anschlusse anschlussen
        core kern kerne kernen
        outlet steckdose steckdosen
        sheet blatt blatter bogen
        page seite seiten
        room raum raume raumen zimmer`,
      numbers: "ein/eine/einen/einem/einer/eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
      packsOf: `packung mit, packung von, packung zu, pack mit, pack von, pack zu, paket mit, set mit, set aus, set von, set zu, karton mit,
        box mit, beutel mit, packung a, bundle mit`,
      packsBehind: /([0-9]{1,6})er[ -]?(?:pack|packung|pckg|pkg|set|paket|bundle|karton|box)\b/y,
    },
    attributes: {
      title: "titel bezeichnung produktname artikelname artikelbezeichnung produktbezeichnung",
      category: "kategorie kategorien produktkategorie warengruppe produkttyp produktart artikelgruppe rubrik",
      identifier:
        "artikelnummer artikelnr artnr bestellnummer bestellnr herstellernummer produktnummer modellnummer teilenummer",
    },
    probes: `
      tisch stuhl vorhang spiegel pfanne messer kaffee suppe schlauch rasen tomate blume hammer schraube farbe leiter
      lampe kerze kabel rauchmelder mantel jacke schal gürtel schuh stiefel socke hut ohrring armbanduhr ring handtasche
      lippenstift haare rasierer nagellack vitamin husten knie blutdruck baby puzzle teddybär schule hund katze fisch vogel
      fahrrad batterie motoröl dach matte tennisschläger angel schwimmen zelt schlafsack kissen koffer gitarre klavier schallplatte trommel
      spielkonsole maus computer drucker telefon kamera speicherkarte lautsprecher füller papier kalender schachtel roman kochbuch atlas film
      olive tee schokolade lachs wein saft kuchen frühstück waschmittel staubsauger handtuch dusche nähmaschine wolle pinsel ton
      steuer vertrag konto gericht zug hotel stadtplan flughafen wetter ozean sonne vulkan herz eiweiß studie operation
      burg philosophie oper skulptur arbeit sprache prüfung lehrer fußball schach marathon kartenspiel server passwort datei programm`,
  };
}
