// Czech. Endings are taken off folded words, because signs are left out by many of those who type.

import { inflected, type LanguageRules, withoutEnding } from "../language-rules.js";

/** What has an ending of number, case or gender. */
const ENDED = /^(.{3,}?)(?:iho|imu|imi|ich|eho|emu|emi|ech|ymi|ych|ami|ach|um|em|im|ym|ou|[aeiouy])$/;
/** What looks like an ending belongs to the word. */
const WHOLE = /^.*(?:system|problem)/;
/** "r" and "l" stand for vowels too: "hrnky". */
const SOUNDING = /[aeiouylr]/;
/** Words whose long "u" is an "o" in other forms: "stul" and "stoly". */
const WITH_LONG_U = /^(st|n|v|d|k|s|h|dv)u([lzmnr])$/;

/** Without the endings of number, case and gender. */
function bare(word: string): string {
  const plain = word.replace(WITH_LONG_U, "$1o$2");
  const [, found = ""] = ENDED.exec(plain) ?? [];
  return WHOLE.exec(plain)?.[0] ?? (SOUNDING.test(found) ? found : plain);
}

/** The "e" before the last consonant comes and goes: "hrnek" and "hrnky", "oken" and "okno". */
function withoutFleeting(word: string): string {
  return word.length < 4 ? word : word.replace(/e(?=[kclnr]$)(?<=[aeiouylr][^aeiouy]+e)/, "");
}

/** The light form without what makes an adjective of a noun: "plastovy" meets "plast". */
function stem(word: string): string {
  return withoutFleeting(withoutEnding(bare(word), ["ov"]));
}

export async function czechRules(): Promise<LanguageRules> {
  return {
    tag: "cs",
    id: "czech-1",
    stem,
    lightForm: (word) => withoutFleeting(bare(word)),
    stopWords: `
      a i nebo ci ale v ve z ze do od na po pod nad pri pro pres za pred mezi k ke ku s se si u o jak jako co to ten ta te tento tato toto
      tom je jsou ja ty on ona ono my vy oni muj moje tvuj tvoje svuj jeho jeji jejich nas vas ktery ktera ktere`,
    titles: {
      head: "first",
      boundaries: `
        pro do na s se k ke z ze bez v ve od po pod nad pri pres za pred mezi proti vcetne kompatibilni vhodny vhodna vhodne obsahuje`,
      ends: "u o jako typu",
      joiners: "a i nebo ci",
      attributes: `
        ${inflected(
          `cern bil sed cerven zelen zlut fialov hned ruzov oranzov stribrn zlat meden tyrkysov bezov kremov vinov bordov antracitov
          barevn vicebarevn pruhledn matn leskl svetl tmav mal dlouh vysok nizk plocn ploch kulat ctvercov obdelnikov ovaln siln slab
          tenk tlust tvrd nov star pouzit kompaktn prenosn skladac nastaviteln rozkladac vysuvn odnimateln elektrick
          elektronick automatick mechanick optick bezdratov kabelov vodotesn vodeodoln nerezov protiskluzov zateplen potisten
          vysivan pleten tkan prirodn ekologick bezlepkov susen mrazen mlet prazen jednoduch dvojit trojit univerzaln klasick sportov
          magnetick nafukovac samolepic tepl studen damsk pansk detsk divc chlapeck nemeck cesk anglick francouzsk italsk ocelov dreven
          kovov plastov sklenen kozen bavlnen lnen vlnen keramick gumov silikonov hlinikov litinov dubov bukov borov bambusov
          polyesterov hedvabn dzinov porcelanov kamenn betonov smaltovan zahradn kuchynsk kancelarsk turistick vegansk vegetariansk
          elegantn lehk tezk mekk kratk sirok uzk velk hlubok cerstv cel`,
          "y a e eho emu em ych ym ymi ou",
        )}
        ${inflected(
          `modern zimn letn digitaln univerzaln originaln profesionaln kompaktn kvalitn domac venkovn vnitrn prirodn specialn stredn mensi
          vetsi nejlepsi skladac rozkladac nabijec nafukovac samolepic stolni nastenn zavesn nastaviteln prenosn vodotesn manualn mini`,
          "i iho imu im ich imi",
        )}
        ${inflected("modr ciz", "y a e eho emu em ych ym ymi ou")}
        stribro zlato med mosaz titan antracit seda cernobily
        ocel nerez zelezo hlinik kov chrom drevo dub buk borovice orech bambus plast akryl keramika porcelan guma silikon nylon polyester
        kuze kozenka semis bavlna len vlna samet hedvabi dzinovina filc fleece korek ratan mramor beton sklo
        zena zeny muz muzi dite deti chlapec divka kojenec unisex junior senior pes kocka
        xs m l xl xxl xxxl mini maxi midi micro plus premium deluxe lite light basic standard bio eko sada set souprava led usb wifi
        bluetooth`,
    },
    measures: {
      units: `
        v volty voltu
        w watty wattu
        kw kilowatty kilowattu
        hp kone koni
        a amper ampery amperu
        mah miliamperhodina miliamperhodin
        kcal kilokalorie kilokalorii
        m metr metry metru metrovy metrova
        km kilometr kilometry kilometru
        dm decimetr decimetry decimetru
        cm centimetr centimetry centimetru
        mm milimetr milimetry milimetru
        in palec palce palcu palcovy palcova palcove
        ft stopa stopy stop
        m2 metr_ctverecni metry_ctverecni metru_ctverecnich
        kg kila kilogramy kilogramu
        g gramy gramu
        mg miligram miligramy miligramu
        tonne tuna tuny tun
        lb libra libry liber
        l litr litry litru litrovy litrova litrove
        dl decilitr decilitry decilitru deci
        cl centilitr centilitry centilitru
        ml mililitr mililitry mililitru
        m3 metr_krychlovy metry_krychlove metru_krychlovych
        cup hrnek hrnky hrnku salek salky salku
        s sekunda sekundy sekund
        min minuta minuty minut
        h hodina hodiny hodin hod
        day den dny dni
        week tyden tydny tydnu
        month mesic mesice mesicu
        year rok roky roku let
        percent procento procenta procent
        rpm ot/min
        pc kus kusy kusu ks dil dily dilu dilny dilna
        dozen tucet tucty tuctu
        pk baleni balicek balicky balicku bal
        seat misto mista mist sedadlo sedadla sedadel
        person osoba osoby osob
        player hrac hraci hracu
        drawer zasuvka suplik supliky supliku
        door dvere dveri dverova dverovy
        shelf police polic
        tier patro patra pater
        step stupen stupne stupnu
        panel panely panelu
        pocket kapsa kapsy kapes
        slice platek platky platku
        burner horak horaky horaku
        wheel kolo kola kol kolecka kolecek
        speed rychlost rychlosti prevod prevodu
        string struna struny strun
        key klavesa klavesy klaves
        blade cepel cepele cepeli
        hole dira diry der
        ring krouzek krouzky krouzku
        pair par pary paru
        ply vrstvy_papiru
        layer vrstva vrstvy vrstev
        zone zona zony zon
        channel kanal kanaly kanalu
        port porty portu
        core jadro jadra jader
        outlet zasuvky zasuvek
        sheet list listy listu archu
        page strana strany stran stranka stranek
        room pokoj pokoje pokoju mistnost mistnosti`,
      numbers:
        "jeden/jedna/jedno dva/dve/dvou tri/tri ctyri/ctyr pet/peti sest/sesti sedm/sedmi osm/osmi devet/deviti deset/deseti jedenact dvanact",
      packsOf: "baleni po, sada po, balicek po",
      packsBehind: /([0-9]{1,6})[ -]?(?:pack|balicku)\b/y,
    },
    attributes: {
      title: "nazev nazevproduktu nazevzbozi jmeno",
      category: "kategorie kategorieproduktu skupina druhzbozi typproduktu rubrika",
      identifier: "kodproduktu cisloproduktu katalogovecislo objednacicislo artikl carovykod",
    },
    probes: `
      stůl židle závěs zrcadlo pánev nůž káva polévka hadice trávník rajče květina kladivo šroub barva žebřík
      lampa svíčka kabel kouř kabát bunda šála opasek bota kozačka ponožka klobouk náušnice hodinky prsten kabelka
      rtěnka vlasy holení lak vitamín kašel koleno krev kojenec puzzle medvídek škola pes kočka ryba pták
      kolo baterie olej střecha rohož raketa udice plavání stan spánek polštář kufr kytara klavír deska buben
      konzole myš počítač tiskárna telefon fotoaparát paměť reproduktor pero papír kalendář krabice román kuchařka atlas film
      oliva čaj čokoláda losos víno džus koláč snídaně prášek vysavač ručník sprcha šití vlna štětec hlína
      daň smlouva účet soud vlak hotel mapa letiště počasí oceán slunce sopka srdce bílkovina výzkum operace
      hrad filozofie opera socha práce jazyk zkouška učitel fotbal šachy maraton karty server heslo soubor program`,
    alphabet: ["c č", "h ch", "r ř", "s š", "z ž"],
  };
}
