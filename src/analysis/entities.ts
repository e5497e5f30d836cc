// Named entities of HTML: those of HTML 4, and those of HTML 5 for signs of ASCII and for letters of Central Europe.

/** The names of the characters from a code on. */
const IN_SEQUENCE: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
    middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc
    Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve
    oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`,
  ],
  [0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"],
  [0x3a3, "Sigma Tau Upsilon Phi Chi Psi Omega"],
  [
    0x3b1,
    `alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi
    psi omega`,
  ],
  [0x2190, "larr uarr rarr darr harr"],
  [0x21d0, "lArr uArr rArr dArr hArr"],
  [0x2308, "lceil rceil lfloor rfloor"],
];

/** Names and their characters. */
const SINGLE = `
  Tab \t NewLine \n excl ! quot " num # dollar $ percnt % amp & apos ' lpar ( rpar ) ast * plus + comma , period . sol / colon :
  semi ; lt < equals = gt > quest ? commat @ lsqb [ bsol \\ rsqb ] Hat ^ lowbar _ grave \` lcub { verbar | rcub }
  Abreve \u0102 abreve \u0103 Aogon \u0104 aogon \u0105 Cacute \u0106 cacute \u0107 Ccaron \u010c ccaron \u010d Dcaron \u010e
  dcaron \u010f Dstrok \u0110 dstrok \u0111 Eogon \u0118 eogon \u0119 Ecaron \u011a ecaron \u011b Gbreve \u011e gbreve \u011f
  Idot \u0130 inodot \u0131 Lcaron \u013d lcaron \u013e Lstrok \u0141 lstrok \u0142 Nacute \u0143 nacute \u0144 Ncaron \u0147
  ncaron \u0148 Odblac \u0150 odblac \u0151 OElig \u0152 oelig \u0153 Rcaron \u0158 rcaron \u0159 Sacute \u015a sacute \u015b
  Scedil \u015e scedil \u015f Scaron \u0160 scaron \u0161 Tcaron \u0164 tcaron \u0165 Uring \u016e uring \u016f Udblac \u0170
  udblac \u0171 Yuml \u0178 Zacute \u0179 zacute \u017a Zdot \u017b zdot \u017c Zcaron \u017d zcaron \u017e fnof \u0192
  circ \u02c6 tilde \u02dc thetasym \u03d1 upsih \u03d2 piv \u03d6
  ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d lrm \u200e rlm \u200f hyphen \u2010 ndash \u2013 mdash \u2014
  lsquo \u2018 rsquo \u2019 sbquo \u201a ldquo \u201c rdquo \u201d bdquo \u201e dagger \u2020 Dagger \u2021 bull \u2022
  hellip \u2026 permil \u2030 prime \u2032 Prime \u2033 lsaquo \u2039 rsaquo \u203a oline \u203e frasl \u2044 euro \u20ac
  image \u2111 weierp \u2118 real \u211c trade \u2122 ohm \u03a9 alefsym \u2135 frac13 \u2153 frac23 \u2154 frac18 \u215b
  frac38 \u215c frac58 \u215d frac78 \u215e half \u00bd crarr \u21b5
  forall \u2200 part \u2202 exist \u2203 empty \u2205 nabla \u2207 isin \u2208 notin \u2209 ni \u220b prod \u220f sum \u2211
  minus \u2212 lowast \u2217 radic \u221a prop \u221d infin \u221e ang \u2220 and \u2227 or \u2228 cap \u2229 cup \u222a
  int \u222b there4 \u2234 sim \u223c cong \u2245 asymp \u2248 ne \u2260 equiv \u2261 le \u2264 ge \u2265 sub \u2282 sup \u2283
  nsub \u2284 sube \u2286 supe \u2287 oplus \u2295 otimes \u2297 perp \u22a5 sdot \u22c5 lang \u2329 rang \u232a loz \u25ca
  starf \u2605 star \u2606 phone \u260e spades \u2660 clubs \u2663 hearts \u2665 diams \u2666 check \u2713
`;

function readNames(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [first, names] of IN_SEQUENCE)
    for (const [i, name] of names.split(/\s+/).entries()) found.set(name, String.fromCharCode(first + i));
  // A character may be white space itself, so names and characters are told apart by their places.
  for (const [, name, character] of SINGLE.matchAll(/([A-Za-z]+[0-9]*) ([\s\S])/g)) found.set(name!, character!);
  return found;
}

const NAMED: ReadonlyMap<string, string> = readNames();

/** The characters that browsers show for &#128; to &#159;, which mean Windows-1252 there; a blank where it has none. */
const WINDOWS =
  "\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178";
const FIRST_WINDOWS = 0x80;
const UNKNOWN = "\ufffd";

/** The character of a name, in its case or else in lower case; undefined: there is none. */
export function namedCharacter(name: string): string | undefined {
  return NAMED.get(name) ?? NAMED.get(name.toLowerCase());
}

/** The character of a number. */
export function numberedCharacter(code: number): string {
  if (code >= FIRST_WINDOWS && code < FIRST_WINDOWS + WINDOWS.length) return WINDOWS[code - FIRST_WINDOWS]!;
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
  return isCharacter ? String.fromCodePoint(code) : UNKNOWN;
}
