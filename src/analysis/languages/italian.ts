// Italian. Snowball gets the light form as a masculine: it would take "romano" and "romana" apart.

import { inflected, type LanguageRules, loadStemmer } from "../language-rules.js";

/** Without the vowels of number and gender. */
function lightForm(word: string): string {
  if (word.length < 4) return word;
  if (/[cg]h[ei]$/.test(word)) return word.slice(0, -2);
  if (word.length > 4 && /i[aeoi]$/.test(word)) return word.slice(0, -2);
  return /[aeio]$/.test(word) ? word.slice(0, -1) : word;
}

const GENDERS = "o a i e";
const NUMBERS = "e i";

export async function italianRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("italian");
  return {
    tag: "it",
    id: "italian-1",
    stem: (word) => (word.length < 3 ? word : snowball(`${lightForm(word)}o`)),
    lightForm,
    stopWords: `
      il lo la i gli le un uno una di del dello della dei degli delle e ed o a al allo alla ai agli alle da dal dalla in nel nella nei con
      per su sul sulla tra fra che chi cui non si ci mi ti io tu lui lei noi voi loro mio mia tuo tua suo sua questo questa come anche`,
    elisions: "l d un all dall dell nell sull coll quell quest c n s t m v bell sant grand buon",
    titles: {
      head: "first",
      boundaries: `
        di del dello della dei degli delle da dal dalla per con senza in a al allo alla ai agli alle su sul sulla contro tra fra incluso
        inclusa compatibile compatibili adatto adatta nel nella`,
      ends: "il lo la i gli le un uno una mio mia",
      joiners: "e ed o",
      attributes: `
        ${inflected(
          `ner giall ross azzurr dorat argentat rosat chiar scur stampat ricamat lavorat tessut fantasi unit colorat
          piccol lung cort alt bass larg strett rotond quadrat piatt spess medi
          nuov vecchi usat ricondizionat antic elettric elettronic automatic meccanic ottic magnetic acustic termic
          compatt rigid adesiv massicci biologic ecologic vegan vegetarian secc fresc macinat tostat congelat affumicat
          salat zuccherat fritt classic modern sportiv unic doppi singol italian american messican
          gonfiat imbottit foderat rinforzat impermeabilizzat metallic plastic ceramic laccat
          sintetic tecnic domestic giovan bambin ragazz adult`,
          GENDERS,
        )}
        ${inflected(
          `verd grand arancion marron trasparent brillant sottil pieghevol regolabil estensibil allungabil impilabil smontabil rimovibil
          ricaricabil riutilizzabil lavabil gonfiabil impermeabil resistent antiaderent portatil flessibil manual digital solar universal
          professional original natural integral vegetal elegant multipl semplic infantil invernal ingles frances
          fort dolc piccant industrial`,
          NUMBERS,
        )}
        bianco bianca bianchi bianche grigio grigia grigi grigie larghi larghe lunghi lunghe fresche freschi secche secchi blu rosa viola
        turchese beige argento oro rame bronzo ottone titanio grafite antracite avorio crema panna cachi kaki lilla malva fucsia magenta
        ciano bordeaux tortora opaco opaca lucido lucida matt multicolore bicolore acciaio inox inossidabile ferro alluminio metallo cromo
        legno massello rovere faggio pino noce acacia bambu teak acrilico porcellana gomma silicone nylon poliestere pelle ecopelle cuoio
        camoscio cotone lino lana merino velluto seta jeans denim feltro pile sughero rattan marmo cemento vetro cristallo uomo donna
        uomini donne signora neonato neonati junior senior cane cani gatto gatti interno esterno wireless ovale ovali estivo estiva estivi
        estive calda caldo morbida morbido leggera leggero caldi calde morbide leggere maxi midi micro deluxe lite light base standard
        basic bio eco set`,
    },
    measures: {
      units: `
        hp cv cavallo cavalli
        kcal chilocaloria chilocalorie calorie
        m metro metri mt
        km chilometro chilometri
        dm decimetro decimetri
        cm centimetro centimetri
        mm millimetro millimetri
        in pollice pollici
        ft piede piedi
        m2 metro_quadro metri_quadri metro_quadrato metri_quadrati mq
        kg chilo chili chilogrammo chilogrammi
        g grammo grammi
        mg milligrammo milligrammi
        tonne tonnellata tonnellate
        lb libbra libbre
        oz oncia once
        l litro litri lt
        dl decilitro decilitri
        cl centilitro centilitri
        ml millilitro millilitri
        m3 metro_cubo metri_cubi mc
        gal gallone galloni
        cup tazza tazze
        s secondo secondi
        min minuto minuti
        h ora ore
        day giorno giorni
        week settimana settimane
        month mese mesi
        year anno anni
        pc pezzo pezzi pz unita
        dozen dozzina dozzine
        pk confezione confezioni pacco pacchi pacchetto pacchetti conf
        seat posto posti
        person persona persone coperti
        player giocatore giocatori
        drawer cassetto cassetti
        door porta porte anta ante
        shelf ripiano ripiani mensola mensole
        tier livello livelli piani
        step gradino gradini
        panel pannello pannelli
        pocket tasca tasche scomparti
        slice fetta fette
        burner fuoco fuochi
        wheel ruota ruote
        speed velocita
        string corda corde
        key tasto tasti
        blade lama lame
        hole foro fori
        ring anello anelli
        pair paio paia
        ply velo veli
        layer strato strati
        channel canale canali
        port porta_usb porte_usb
        outlet presa prese
        sheet foglio fogli
        page pagina pagine
        room stanza stanze camera camere`,
      numbers: "un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici",
      packsOf:
        "confezione da, confezioni da, confezione di, pacco da, pack da, set da, set di, scatola da, kit da, lotto di, busta da",
    },
    attributes: {
      title: "titolo nome denominazione nomeprodotto",
      category: "categoria categorie tipoprodotto tipologia reparto collezione",
      identifier: "codice codicearticolo codiceprodotto riferimento numeroarticolo codiceabarre",
    },
    probes: `
      tavolo sedia tenda specchio padella coltello caffè zuppa tubo prato pomodoro fiore martello vite vernice scala
      lampada candela cavo fumo cappotto giacca sciarpa cintura scarpa stivale calzino cappello orecchino orologio anello borsa
      rossetto capelli rasoio smalto vitamina tosse ginocchio sangue neonato puzzle peluche scuola cane gatto pesce uccello
      bicicletta batteria olio tetto tappetino racchetta canna nuoto campeggio sonno cuscino valigia chitarra pianoforte disco tamburo
      videogioco mouse computer stampante telefono fotocamera memoria altoparlante penna carta calendario scatola romanzo cucina atlante film
      oliva tè cioccolato salmone vino succo torta colazione detersivo aspirapolvere asciugamano doccia cucito lana pennello argilla
      tassa contratto conto tribunale treno albergo mappa aeroporto meteo oceano sole vulcano cuore proteina ricerca chirurgia
      castello filosofia opera scultura lavoro lingua esame insegnante calcio scacchi maratona carte server password archivio programma`,
  };
}
