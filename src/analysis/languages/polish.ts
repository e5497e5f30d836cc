// Polish. Endings are taken off folded words, because signs are left out by half of those who type.

import { inflected, type LanguageRules, withoutEnding, wordsOf } from "../language-rules.js";

const ENDINGS = wordsOf(
  "iego iemu iami iach ymi imi ami ach ych ich ego emu iej iem iom owi ow om ej ie ia io iu ii ym im em a e i o u y",
);
/** What looks like an ending belongs to the word. */
const WHOLE = /^.*(?:system|problem|zapach|album|idiom|kostium)/;

/** Without the endings of number, case and gender. */
function bare(word: string): string {
  return WHOLE.exec(word)?.[0] ?? (word.length < 4 ? word : withoutEnding(word, ENDINGS));
}

/** The "e" before the last consonant comes and goes: "kubek" and "kubki", "krzesel" and "krzeslo". */
function withoutFleeting(word: string): string {
  return word.length < 4 ? word : word.replace(/i?e(?=[kclnr]$)(?<=[aeiouy][^aeiouy]+i?e)/, "");
}

/** The light form without what makes an adjective of a noun: "ogrodowy" meets "ogrod". */
function stem(word: string): string {
  return withoutFleeting(withoutEnding(bare(word), ["ow"]));
}

const ADJECTIVE = "y a e ego ej ych ym ymi emu";

export async function polishRules(): Promise<LanguageRules> {
  return {
    tag: "pl",
    id: "polish-1",
    stem,
    lightForm: (word) => withoutFleeting(bare(word)),
    stopWords: `
      i oraz lub albo ale a w we z ze do dla na od po pod nad przy przez o u za przed miedzy jak jako co to ten ta te tego tej
      tym jest sa sie nie ja ty on ona ono my wy oni moj moja moje twoj twoja jego jej ich nasz czy ktory ktora ktore`,
    titles: {
      head: "first",
      boundaries:
        "do dla z ze bez w we na od po pod nad przy przez za przed miedzy kompatybilny kompatybilna pasuje zawiera zgodny zgodna",
      ends: "o u jako typu",
      joiners: "i oraz lub albo",
      attributes: `
        ${inflected(
          `czarn bial szar czerwon zielon zolt fioletow brazow rozow pomaranczow srebrn zlot miedzian turkusow bezow kremow granatow
          bordow grafitow kolorow wielokolorow przezroczyst matow jasn ciemn duz mal okragl kwadratow prostokatn owaln grub tward
          now star uzywan oryginaln kompaktow przenosn skladan regulowan rozkladan wysuwan zdejmowan elektryczn elektroniczn
          automatyczn reczn mechaniczn cyfrow analogow optyczn bezprzewodow przewodow wodoodporn wodoszczeln nierdzewn antyposlizgow
          ocieplan drukowan haftowan naturaln ekologiczn organiczn bezglutenow suszon mrozon mielon palon pojedyncz podwojn potrojn
          uniwersaln profesjonaln klasyczn nowoczesn sportow magnetyczn dmuchan samoprzylepn ciepl zimn zimow dziecinn mlodziezow
          stalow drewnian metalow plastikow szklan skorzan bawelnian lnian welnian ceramiczn gumow silikonow aluminiow zeliwn debow
          bukow sosnow bambusow poliestrow jedwabn jeansow porcelanow kamienn betonow emaliowan ogrodow kuchenn domow biurow
          turystyczn lit`,
          ADJECTIVE,
        )}
        ${inflected(
          `niebiesk dlug krotk szerok wask wysok nisk plask cienk lekk ciezk miekk wegansk wegetariansk eleganck damsk mesk wlosk niemieck
          polsk angielsk francusk`,
          "i a ie iego iej ich im imi",
        )}
        ${inflected("sredn tan letn", "i ia ie iego iej ich im")} ${inflected("swiez dzieciec blyszczac", "y a e ego ej ych ym")}
        srebro zloto miedz mosiadz tytan antracyt braz roz czern biel stal inox zelazo aluminium metal chrom drewno dab buk sosna orzech
        bambus tworzywo plastik akryl ceramika porcelana guma silikon nylon poliester skora ekoskora zamsz bawelna len welna aksamit
        welur jedwab jeans filc polar korek rattan marmur beton szklo kobieta mezczyzna dziecko dzieci chlopiec dziewczynka niemowle
        junior senior pies kot maxi midi micro deluxe lite light basic standard bio eko zestaw komplet`,
    },
    measures: {
      units: `
        v wolt wolty woltow
        w wat waty watow
        kw kilowat kilowaty kilowatow
        hp konie koni
        a amper ampery amperow
        kcal kilokaloria kilokalorie kilokalorii kalorii
        m metr metry metrow metra
        km kilometr kilometry kilometrow
        dm decymetr decymetry decymetrow
        cm centymetr centymetry centymetrow
        mm milimetr milimetry milimetrow
        in cal cale cali calowy calowa calowe
        ft stopa stopy stop
        m2 metr_kwadratowy metry_kwadratowe metrow_kwadratowych
        kg kilogramy kilogramow kilograma
        g gramy gramow
        mg miligram miligramy miligramow
        tonne tona tony ton
        l litr litry litrow litra litrowy litrowa litrowe
        dl decylitr decylitry decylitrow
        cl centylitr centylitry centylitrow
        ml mililitr mililitry mililitrow
        m3 metr_szescienny metry_szescienne metrow_szesciennych
        cup filizanka filizanki filizanek
        s sekunda sekundy sekund sek
        min minuta minuty minut
        h godzina godziny godzin godz
        day dzien dni
        week tydzien tygodnie tygodni
        month miesiac miesiace miesiecy
        year rok lata lat
        percent procent
        pc sztuka sztuki sztuk szt element elementy elementow elementowy elementowa czesci czesciowy
        dozen tuzin tuziny
        pk opakowanie opakowania opakowan paczka paczki paczek opak
        seat miejsce miejsca miejsc siedzenia
        person osoba osoby osob osobowy osobowa osobowe
        player gracz gracze graczy
        drawer szuflada szuflady szuflad
        door drzwi drzwiowy drzwiowa
        shelf polka polki polek
        tier poziom poziomy poziomow
        step stopien stopnie stopni stopniowa
        panel panele paneli
        pocket kieszen kieszenie kieszeni
        slice plaster plastry plastrow kromek
        burner palnik palniki palnikow palnikowa
        wheel kolo kola kol kolka
        speed bieg biegi biegow predkosci
        string struna struny strun
        key klawisz klawisze klawiszy
        blade ostrze ostrza ostrzy
        hole otwor otwory otworow
        ring pierscien pierscienie pierscieni
        pair para pary par
        ply warstwowy warstwowe
        layer warstwa warstwy warstw
        zone strefa strefy stref
        channel kanal kanaly kanalow
        port porty portow
        core rdzen rdzenie rdzeni
        outlet gniazdo gniazda gniazd
        sheet arkusz arkusze arkuszy kartek
        page strona strony stron
        room pokoj pokoje pokoi`,
      numbers:
        "jeden/jedna/jedno dwa/dwie/dwoch trzy/trzech cztery/czterech piec/pieciu szesc/szesciu siedem/siedmiu osiem/osmiu dziewiec/dziewieciu dziesiec/dziesieciu jedenascie dwanascie",
      packsOf: "zestaw, komplet, paczka po, opakowanie po",
      packsBehind: /([0-9]{1,6})[ -]?(?:pak|pack)\b/y,
    },
    attributes: {
      title: "tytul nazwa nazwaproduktu",
      category: "kategoria kategorie kategoriaproduktu typproduktu rodzaj dzial",
      identifier: "numerartykulu kodproduktu numerkatalogowy numerczesci symbol indeks kodkreskowy",
    },
    probes: `
      stół krzesło zasłona lustro patelnia nóż kawa zupa wąż trawnik pomidor kwiat młotek śruba farba drabina
      lampa świeca kabel dym płaszcz kurtka szalik pasek but kozak skarpeta kapelusz kolczyk zegarek pierścionek torebka
      szminka włosy golarka lakier witamina kaszel kolano krew niemowlę puzzle miś szkoła pies kot ryba ptak
      rower akumulator olej dach mata rakieta wędka pływanie namiot sen poduszka walizka gitara pianino płyta bęben
      konsola mysz komputer drukarka telefon aparat pamięć głośnik długopis papier kalendarz pudełko powieść kuchnia atlas film
      oliwka herbata czekolada łosoś wino sok ciasto śniadanie proszek odkurzacz ręcznik prysznic szycie wełna pędzel glina
      podatek umowa konto sąd pociąg hotel mapa lotnisko pogoda ocean słońce wulkan serce białko badanie operacja
      zamek filozofia opera rzeźba praca język egzamin nauczyciel piłka szachy maraton karty serwer hasło plik program`,
    alphabet: ["a ą", "c ć", "e ę", "l ł", "n ń", "o ó", "s ś", "z ź ż"],
  };
}
