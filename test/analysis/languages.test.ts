// The rules of each language: forms that a speaker takes for one word share a stem or a light form, others do not; and the lists hold
// what their readers rely on.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LanguageRules, wordsOf } from "../../src/analysis/language-rules.js";
import { canonicalLanguage, KNOWN_LANGUAGES, loadLanguage, loadLanguageRules } from "../../src/analysis/languages.js";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { UNITS } from "../../src/analysis/units.js";
import { runTask, runTaskAtOnce } from "../../src/util/tasks.js";

/**
 * By language, of words between semicolons: before an asterisk, before a bar one word in several numbers, cases or genders, which have
 * one light form, and behind it other words of its stem, which have not; behind the asterisk, words no two of which share a stem.
 */
const FORMS: Readonly<Record<string, string>> = {
  de: `
    haus hauses haeuser:hauser hausern; rot rote roter rotes roten rotem; schuh schuhe schuhen; regal regale regalen regals; kind kinder
    kindern kindes; flasche flaschen; messer messern | mess; drucker druckern | druck drucke; bohrer bohrern | bohren; lehrerin
    lehrerinnen | lehrer; hotel hotels; foto fotos; bus busse busses; kreis kreise kreisen; ei eier eiern; blatt blatter blattern;
    handtuch handtucher handtuchern; elektrisch elektrische elektrischer elektrisches; wasserdicht wasserdichter wasserdichte; material
    materialien materials; gans ganse; schachtel schachteln; | museum museen; | pizza pizzen; bier biere; himbeere himbeeren himbeer
    * haus hose hase; tisch tasche; preis prise; rad rat; tee tau; kissen kasten; lampe lamm; wagen waage`,
  fr: `
    velo velos; rideau rideaux; bocal bocaux; noir noire noirs noires; blanc blanche blancs blanches; chaise chaises; jeu jeux; tuyau
    tuyaux; bijou bijoux; leger legere legeres; sportif sportive sportives; heureux heureuse heureuses; francais francaise francaises;
    nouveau nouvelle nouveaux nouvelles; vieux vieille vieilles; gros grosse grosses; sucre sucree sucrees sucres; electrique
    electriques; tapis; manteau manteaux; bois
    * chaise chai chien; chat chou; bois boite; verre vert; poisson poison; lampe lame`,
  nl: `
    boom bomen; brief brieven; huis huizen; stoel stoelen | stoeltje stoeltjes; zwart zwarte; groot grote; wit witte; tafel tafels;
    kussen kussens; bed bedden; kind kinderen; koek koeken | koekje koekjes; brood broden | broodje; boompje boompjes | boom; fiets
    fietsen; fles flessen; glas glazen; doos dozen; schoen schoenen; spaans spaanse; vrij vrije; lamp lampen; deken dekens; mogelijkheid
    mogelijkheden
    * stoel stal; fiets fles; mes mos; kaas kast; broek brood; rok rek`,
  es: `
    calcetin calcetines; luz luces; lapiz lapices; negro negra negros negras; camisa camisas; silla sillas; sofa sofas; sillon sillones;
    azul azules; verde verdes; reloj relojes; coche coches; aleman alemana alemanes alemanas; ingles inglesa ingleses inglesas; movil
    moviles; dulce dulces; cruz cruces; flor flores; mes meses; taxi taxis
    * silla sello; camisa cama; pato pito; lana luna; queso caso; puerta parte`,
  it: `
    scarpa scarpe; gioco giochi; nero nera neri nere; bianco bianca bianchi bianche; amico amici; lago laghi; sedia sedie; arancia
    arance; valigia valigie; fiore fiori; romano romana romani romane; verde verdi; tavolo tavoli; orologio orologi; computer; occhiale
    occhiali
    * scarpa sciarpa; sedia seta; letto latte; pane pena; olio aglio; borsa bosco`,
  pt: `
    cadeira cadeiras; limao limoes; pao paes; mao maos; azul azuis; papel papeis; lencol lencois; jornal jornais; portatil; homem
    homens; flor flores; luz luzes; preto preta pretos pretas; mes meses; jardim jardins; movel moveis; verde verdes; taxi taxis
    * cadeira carteira; mala mola; pao pe; faca fogao; copo capa; lencol lenco`,
  sv: `
    stol stolar stolen stolarna; lampa lampor lampan lamporna; bord bordet; svart svarta; rod roda; cykel cyklar cykeln; flaska flaskor;
    elektrisk elektriska elektriskt; bok boken; skruv skruvar
    * stol stal; lampa lamm; hatt hast; sko skal`,
  da: `
    stol stole stolen stolene; lampe lamper lampen lamperne; cykel cykler cyklen; kop kopper koppen; bord borde bordet; sort sorte; kniv
    knive kniven; flaske flasker; elektrisk elektriske; gaffel gafler
    * stol stal; lampe lam; kop kat; kniv kno; bord brod`,
  nb: `
    stol stoler stolen stolene; lampe lamper lampen lampene; sykkel sykler; kopp kopper koppen; bord bordet bordene; svart svarte; kniv
    kniver kniven; flaske flasker; elektrisk elektriske; bok boken
    * stol stal; lampe lam; kopp katt; kniv kne; bord brod`,
  fi: `
    tuoli tuolit tuolin tuolia tuolissa; talo talot talon talossa; auto autot auton; kirja kirjat kirjan; pullo pullot pullon; koira
    koirat koiran
    * tuoli tuuli; talo tila; koira kaira`,
  pl: `
    lampa lampy lampe lampie lamp lampami; kubek kubki kubka kubkow kubkiem; krzeslo krzesla krzesel krzesle; szafka szafki szafek
    szafke; stol stoly stolu stolem; noz noze nozy noza; but buty butow butami; czarny czarna czarne czarnego czarnej czarnych;
    niebieski niebieska niebieskie niebieskiego niebieskich; ogrod ogrody ogrodu | ogrodowy ogrodowa ogrodowego ogrodowych; rower rowery
    rowerow | rowerowy rowerowe; drewniany drewniana drewniane drewnianych; kurtka kurtki kurtek; sweter swetry swetra; okno okna okien;
    kuchnia kuchnie kuchni; ubranie ubrania ubran; drzwi drzwiami; krem kremy kremu kremow; olej oleje oleju; system systemy systemu;
    widelec widelce widelcow
    * stol stal; but bat; kosz kasza; lampa lapa; piec piesek; szafka szalik; kubek kubel; klucz kluska`,
  cs: `
    lampa lampy lampu lamp lampou; hrnek hrnky hrnku hrnkem; stul stoly stolu stolem; nuz noze nozu nozem; zidle zidli zidlemi; bota
    boty bot botami botach; cerny cerna cerne cerneho cernych cernymi cernou; zimni zimniho zimnich; velky velka velke velkych; plast
    plasty plastu | plastovy plastova plastove plastoveho plastovych; hracka hracky hracek; okno okna oken; ponozka ponozky ponozek;
    kosile kosil kosili; rukavice rukavic rukavicemi; tricko tricka tricek; kniha knihy knih; pocitac pocitace pocitacu; system systemy
    systemu; postel postele posteli
    * lampa lapac; hrnek hrnec; stul sul; bota botnik; kolo kolac; kosile kosik; klic klika; deka deska`,
  ru: `
    лампа лампы лампу ламп лампами; стол стола столы столов столом; черный черная черное черные черного черных; синий синяя синее синие
    синих; чашка чашки чашек чашку; носок носки носков; ковер ковры ковров; окно окна окон; чай чая чаем; детский детская детские
    детских; куртка куртки курток; деревянный деревянная деревянные; полотенце полотенца полотенец; телефон телефоны телефонов; урок
    уроки
    * лампа лапа; ручка рука; стол стул; кот кит; чашка чаша; полка палка`,
  ja: "* 椅子 机",
  tr: "kitap kitaplar; sandalye sandalyeler * masa maske",
  el: "καρεκλα καρεκλεσ; τραπεζι τραπεζια; μαυροσ μαυρη μαυρο μαυρα * καρεκλα καρτα",
  ar: "كتاب الكتاب * كتاب كرسي",
  hu: "szek szekek; asztal asztalok; lampa lampak * asztal aszal",
  ro: "scaun scaune scaunul; lampa lampi * scaun scara",
};

/** Words that name another thing, or say what it has not. */
const DIFFER: Readonly<Record<string, string>> = {
  de: "ohne gut neu alle zwei ganz",
  fr: "sans bon grand neuf ete bien deux",
  es: "sin alto nuevo parte dos bien",
  it: "senza buono nuovo parte due bene",
  pt: "sem alto novo parte dois bem",
  nl: "zonder goed nieuw alle twee",
  sv: "utan god ny alla tva",
  da: "uden god ny alle to",
  nb: "uten god ny alle to",
  fi: "ilman hyva uusi kaikki kaksi",
  pl: "bez dobry nowy dwa",
  cs: "bez dobry novy dva",
  ru: "без хороший новый два",
  ja: "ナシ",
};

const languages: Record<string, LanguageRules> = {};
for (const tag of KNOWN_LANGUAGES) {
  const rules = await loadLanguageRules(tag);
  if (rules !== null) languages[tag] = rules;
}
const withRules = Object.keys(languages);

/** The parts of a text between the signs. */
const partsOf = (text: string, sign = ";"): string[] =>
  text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== "");
/** й is a letter of its own in Russian, and kana keep their marks; the engine folds them by the language. */
const normal = (text: string): string =>
  text
    .replace(/[^йヲ-ヴーァ-ヴガ-ポ]+/gu, (run) => normalizeText(run))
    .replace(/\s+/g, " ")
    .trim();

describe.each(Object.entries(FORMS))("words of %s", (tag, forms) => {
  const [same = "", other = ""] = forms.split("*");
  it.each(partsOf(same))("share a stem: %s", (group) => {
    const { stem, lightForm } = languages[tag]!;
    const [near = [], far = []] = group.split("|").map((part) => partsOf(part.replace(/\S+:/g, ""), " "));
    expect([...new Set([...near, ...far].map(stem))]).toHaveLength(1);
    const light = new Set(near.map(lightForm));
    expect([...light].slice(1)).toEqual([]);
    expect(far.filter((word) => light.has(lightForm(word)))).toEqual([]);
  });

  it.each(partsOf(other))("have stems of their own: %s", (group) => {
    const words = wordsOf(group);
    expect(new Set(words.map(languages[tag]!.stem))).toHaveLength(words.length);
  });
});

describe.each(withRules)("the rules of %s", (tag) => {
  it("name themselves", () => {
    const { id, ...rules } = languages[tag]!;
    expect(rules.tag).toBe(tag);
    expect(id).toMatch(/^[a-z]+-1$/);
    expect(Object.values(languages).filter((rules) => rules.id === id)).toHaveLength(1);
  });

  it("have lists in normal form", () => {
    const { titles, stopWords, elisions = "", compounds, measures, attributes, probes } = languages[tag]!;
    const lists = [
      ...[stopWords, elisions, titles?.boundaries, titles?.ends, titles?.joiners, titles?.attributes, compounds?.links],
      ...[
        ...(measures?.units.split("\n") ?? []),
        measures?.numbers.replaceAll("/", " "),
        ...Object.values(attributes ?? {}),
      ],
    ].map((list) => (list ?? "").trim());
    for (const list of lists.filter((one) => one !== "")) expect(normal(list)).toBe(list.replace(/\s+/g, " "));
    expect(normal(measures?.packsOf ?? "")).toBe((measures?.packsOf ?? "").replace(/\s+/g, " ").trim());
    if (probes !== undefined) expect(new Set(wordsOf(probes))).toHaveLength(128);
  });

  it("have as many stop words as bind sentences, none of which describes a thing or makes a difference", () => {
    const { stopWords, titles } = languages[tag]!;
    const stops = wordsOf(stopWords);
    if (tag !== "ja") expect(stops.length).toBeGreaterThanOrEqual(30);
    expect(stops.length).toBeLessThanOrEqual(70);
    const attributes = new Set(wordsOf(titles?.attributes ?? ""));
    expect(stops.filter((word) => attributes.has(word))).toEqual([]);
    const differ = wordsOf(DIFFER[tag] ?? "");
    expect(stops.filter((word) => differ.includes(word))).toEqual([]);
  });

  it("give each word of titles one part", () => {
    const { titles } = languages[tag]!;
    if (titles === undefined) return;
    const { boundaries, ends, joiners, attributes } = titles;
    const parts = [boundaries, ends, joiners, attributes].flatMap((list) => [...new Set(wordsOf(list))]);
    expect(parts.filter((word, i) => word !== "" && parts.indexOf(word) < i)).toEqual([]);
  });

  it("name units that there are, each name once", () => {
    const units = partsOf(languages[tag]!.measures?.units ?? "", "\n").map(wordsOf);
    expect(units.map(([first]) => first!).filter((first) => !UNITS.has(first))).toEqual([]);
    const names = units.flatMap(([, ...own]) => own);
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
    const { stopWords, titles } = languages[tag]!;
    const small = new Set(
      [stopWords, titles?.boundaries ?? "", titles?.ends ?? "", titles?.joiners ?? ""].flatMap(wordsOf),
    );
    expect(names.filter((name) => small.has(name))).toEqual([]);
    const { numbers = "" } = languages[tag]!.measures ?? {};
    expect(numbers === "" ? 12 : wordsOf(numbers).length).toBe(12);
  });

  it("have pure stems that never fail, and light forms no wider than stems", () => {
    const { stem, lightForm } = languages[tag]!;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (word, between) => {
        const [first, light] = [stem(word), lightForm(word)];
        stem(between);
        expect(typeof first).toBe("string");
        expect(stem(word)).toBe(first);
        expect(lightForm(word)).toBe(light);
      }),
    );
    expect(stem("")).toBe("");
    expect(stem("\ud800")).toBe("\ud800");
  });
});

describe("known languages", () => {
  it.each([
    ...["de-AT de", "DE de", "pt-BR pt", "no nb", "nn-NO nb", "zh-Hant-TW zh", "en-GB en", "sl sl"],
    ...["xx", "", "german", "de-", "constructor"],
  ])("are read from tags: %s", (row) => {
    const [tag, language] = row.split(" ");
    expect(canonicalLanguage(tag!)).toBe(language);
  });

  it("are each their own", () => {
    for (const tag of KNOWN_LANGUAGES) expect(canonicalLanguage(tag)).toBe(tag);
    expect(KNOWN_LANGUAGES).toEqual([...new Set(KNOWN_LANGUAGES)].sort());
  });

  it("have one object of rules each, or none", async () => {
    expect(await loadLanguageRules("de")).toBe(await loadLanguageRules("de"));
    expect(await runTask(loadLanguage("de"))).toBe(await runTask(loadLanguage("de")));
    expect(await loadLanguageRules("ko")).toBeNull();
    expect(runTaskAtOnce(loadLanguage("ko")).id).toBe("plain-1");
    expect(await loadLanguageRules("constructor")).toBeNull();
  });
});
