// Dutch. Endings are taken off folded words; what they do to the sounds before them is undone: "bomen" is "boom", "brieven" is "brief".

import { inflected, type LanguageRules } from "../language-rules.js";

const PLURAL_IN_EREN = /(?:kind|blad|ei|lamm|kalv|goed|lied|rad|volk|rund)eren$/;
/** They end with "s" in the singular, or with a plural that takes another ending off. */
const KEEPS_S = /(?:[siu]s|[ao]s|ees|(?:fl|m|b|l|pr)es|[lmgw]ens|[kdgl]ans|aars|(?:[ui]|aa|[io]e)ts|rns)$/;
/** A vowel before "en" belongs to the word: "citroen". */
const PLURAL_IN_EN = /[aeiouy].*[^aeiou]en$|(?:e|i|ij|ui|ei|oei)e?en$|(?:uj|ui|ei|ij|[lr]i)en$/;

/** Without the endings of number and those of adjectives. */
function lightForm(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("heden") && word.length > 6) return `${word.slice(0, -4)}eid`;
  if (PLURAL_IN_EREN.test(word)) return closed(undoubled(word.slice(0, -4)));
  let found = withoutS(word);
  if (found.length > 4 && PLURAL_IN_EN.test(found) && !/^[^e]*[^ei]een$/.test(found)) {
    found = undoubled(found.slice(0, -2));
    if (found.endsWith("i") && !/[ueo]i$/.test(found)) found += "e";
  } else if (found.length > 3 && /(?:[^eij]|ij)e$/.test(found)) found = withoutS(undoubled(found.slice(0, -1)));
  return closed(found);
}

function withoutS(word: string): string {
  return word.length > 4 && word.endsWith("s") && !KEEPS_S.test(word) ? word.slice(0, -1) : word;
}

function undoubled(word: string): string {
  return /([bdfgklmnprst])\1$/.test(word) ? word.slice(0, -1) : word;
}

/** The vowel of "boom" as "bomen" has it, the "v" of "brieven" as "brief" has it. */
function closed(word: string): string {
  const short = word.replace(/([aeou])\1([^aeiouy])$/, "$1$2");
  return short.replace(/v$/, "f").replace(/z$/, "s");
}

const SMALL = [
  /^(.*(?:oo|aa|ui|ie)m)pje$/,
  /^(.{2,}[^aeiou])etje$/,
  /^(.*(?:e|oe|oo|ee|aa|eu|ui|ei)[ln])tje$/,
  /^(.{3,})je$/,
];

/** The light form of a word without the ending of small things: "koekje" meets "koek". */
function stem(word: string): string {
  const light = lightForm(word);
  const rule = light.endsWith("je") ? SMALL.find((one) => one.test(light)) : undefined;
  return rule === undefined ? light : closed(undoubled(light.replace(rule, "$1")));
}

const ADJECTIVE = "- e";

export async function dutchRules(): Promise<LanguageRules> {
  return {
    tag: "nl",
    id: "dutch-1",
    stem,
    lightForm,
    stopWords: `
      de het een en of maar ook als aan bij door in is met naar om op per te ten ter tot uit van voor vanaf over onder tussen tegen tijdens
      ik je jij u hij zij ze we wij er het mijn jouw uw zijn haar ons onze hun dit dat deze die wie wat niet`,
    titles: {
      head: "last",
      boundaries: `
        voor geschikt geschikte compatibel compatibele passend met zonder van vanaf incl inclusief bij tegen uit in door per tot inbegrepen`,
      ends: "op aan de het een te om als onder over",
      joiners: "en of",
      attributes: `
        ${inflected(
          `zwart bruin lichtblauw donkerblauw lichtgrijs donkergrijs lichtgroen donkergroen lichtbruin donkerbruin blauw bont gestreept geruit
          effen gekleurd glanzend klein groot hoog laag kort lang licht zwaar zacht hard breed rond vierkant rechthoekig
          ovaal nieuw gebruikt origineel compact draagbaar opvouwbaar inklapbaar verstelbaar uitschuifbaar uittrekbaar stapelbaar
          afneembaar oplaadbaar herbruikbaar wasbaar elektrisch elektronisch automatisch handmatig mechanisch digitaal analoog optisch
          draadloos snoerloos waterdicht waterafstotend weerbestendig winddicht roestvrij antislip gevoerd gebreid geweven geborduurd bedrukt
          massief echt natuurlijk biologisch veganistisch vegetarisch glutenvrij lactosevrij suikervrij alcoholvrij gedroogd
          bevroren gemalen geroosterd enkel dubbel universeel professioneel klassiek modern elegant sportief nederlands engels duits
          frans italiaans magnetisch opblaasbaar zelfklevend warm koud transparant doorzichtig helder zoet zuur`,
          ADJECTIVE,
        )}
        rood groen wit grijs geel paars dik dun smal plat vol half vers rode groene witte grijze gele paarse grote hoge lage brede dikke
        dunne smalle platte verse halve originele ovale draagbare opvouwbare inklapbare verstelbare uitschuifbare uittrekbare stapelbare
        afneembare oplaadbare herbruikbare wasbare digitale analoge draadloze snoerloze roestvrije glutenvrije lactosevrije suikervrije
        alcoholvrije dubbele enkele universele professionele sportieve engelse franse italiaanse opblaasbare zelfklevende doorzichtige
        massieve zoete zure veelkleurig meerkleurig zilver zilveren goud gouden koper koperen brons messing titanium turquoise oranje lila
        roze magenta cyaan beige creme ivoor kaki antraciet bordeaux petrol mint taupe rvs staal stalen edelstaal ijzer ijzeren aluminium
        metaal metalen chroom hout houten massiefhout eiken beuken grenen noten walnoot acacia bamboe teak kunststof plastic acryl
        keramiek keramisch porselein rubber siliconen nylon polyester leer leren kunstleer suede katoen katoenen linnen wol wollen merino
        fluweel velvet zijde jeans denim vilt fleece kurk rotan marmer beton glazen heren dames kinderen kinder jongens meisjes baby babys
        volwassenen senioren mannen vrouwen honden katten maxi midi micro deluxe lite basic standaard classic bio eco set design indoor
        outdoor binnen buiten`,
    },
    compounds: {
      links: "- s e en er n",
      leastEnd: 3,
      noFront: /^(?:ver|be|ge|her|ont|on|in|re|de|pro|voor|aan|af|op|uit|kon)$|.{3}(?:ver|ont)$/,
    },
    measures: {
      units: `
        hp pk paardenkracht
        mah milliampereuur
        ah ampereuur
        kwh kilowattuur
        wh wattuur
        kcal kilocalorieen
        in duim
        ft voet
        m2 vierkante_meter
        tonne ton
        lb pond
        m3 kubieke_meter kuub
        cup kop koppen
        s seconde seconden
        min minuut minuten
        h uur uren
        day dag dagen
        week weken
        month maand maanden
        year jaar jaren
        percent procent
        pc stuk stuks st delig delige deel delen
        dozen dozijn
        pk pak pakken pakjes
        seat zits zitter zitplaats zitplaatsen zitplekken
        person persoon personen persoons
        player speler spelers
        drawer lade lades laden
        door deur deurs deuren
        shelf plank planken legplank legplanken
        tier laags verdieping verdiepingen etages
        step trede treden treeds
        panel paneel panelen
        pocket vak vakken
        slice plak plakken plakjes sneetjes
        burner pits pitten
        wheel wiel wielen
        speed versnelling versnellingen
        string snaar snaren snarig
        key toets toetsen
        blade mes messen
        hole gat gaten
        pair paar paren
        layer laag lagen
        channel kanaal kanalen
        port poort poorten poorts
        core kern kernen
        outlet stopcontact stopcontacten voudig
        sheet vel vellen
        page pagina paginas
        room kamer kamers`,
      numbers: "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
      packsOf: `set van, pak van, pack van, verpakking van, doos van, zak van, bundel van, pakket van, set met, verpakking met, doos met,
        pak met`,
      packsBehind: /([0-9]{1,6})[ -]?(?:pack|pak|set)\b/y,
    },
    attributes: {
      title: "titel naam productnaam artikelnaam omschrijving",
      category: "categorie categorieen productcategorie productgroep producttype soort rubriek",
      identifier:
        "artikelnummer artikelnr bestelnummer productnummer productcode artikelcode modelnummer streepjescode",
    },
    probes: `
      tafel stoel gordijn spiegel pan mes koffie soep tuinslang grasmaaier tomaat bloem hamer schroef verf ladder
      lamp kaars kabel rookmelder jas trui sjaal riem schoen laars sok hoed oorbel horloge ring handtas
      lippenstift haar scheermes nagellak vitamine hoest knie bloeddruk baby puzzel knuffel school hond kat vis vogel
      fiets accu motorolie dak mat racket hengel zwemmen tent slaapzak kussen koffer gitaar piano plaat trommel
      spelcomputer muis laptop printer telefoon camera geheugen luidspreker pen papier kalender doos roman kookboek atlas film
      olijf thee chocolade zalm wijn sap taart ontbijt wasmiddel stofzuiger handdoek douche naaimachine wol kwast klei
      belasting contract rekening rechtbank trein hotel kaart luchthaven weer oceaan zon vulkaan hart eiwit onderzoek operatie
      kasteel filosofie opera beeldhouwwerk baan taal examen leraar voetbal schaken marathon kaartspel server wachtwoord bestand programma`,
  };
}
