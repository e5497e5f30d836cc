// Spanish. The light form is the stem: that of Snowball brings too many words together ("sala" and "sal"), and not "luces" and "luz".

import { inflected, type LanguageRules } from "../language-rules.js";

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (word.length > 4 && /(?:[^t]c|[rnldzsjxyi])es$/.test(word)) return word.slice(0, -2);
  return /[^aeiou]?[iu]s$|ss$/.test(word) && !/(?:ki|xi|ni|qui|wi|ti|nu|pu)s$/.test(word) ? word : word.slice(0, -1);
}

/** "luz" as "luces" has it. */
function softened(word: string): string {
  return word.endsWith("z") ? `${word.slice(0, -1)}c` : word;
}

function lightForm(word: string): string {
  const one = singular(word);
  const bare = one.length > 3 && /[aoe]$/.test(one) ? one.slice(0, -1) : one;
  return softened(/...[^aeiou]es$/.test(bare) ? bare.slice(0, -2) : bare);
}

const GENDERS = "o a os as";
const PLURAL = "- s";

export async function spanishRules(): Promise<LanguageRules> {
  return {
    tag: "es",
    id: "spanish-1",
    stem: lightForm,
    lightForm,
    stopWords: `
      el la los las lo un una unos unas de del y e o u a al en con por para sobre entre desde hasta su sus mi mis tu tus nuestro nuestra
      yo ella ellos nosotros se me te le les nos que como este esta estos estas ese esa es son ser no`,
    titles: {
      head: "first",
      boundaries:
        "de del para con sin en a al por sobre contra compatible compatibles apto apta aptos aptas incluye incluido incluida entre desde segun",
      ends: "el la los las un una unos unas mi tu su este esta",
      joiners: "y e o u",
      attributes: `
        ${inflected(
          `negr blanc roj amarill morad rosad dorad platead anaranjad azulad grisace clar oscur transparentad estampad rayad bordad tejid lis
          pequen larg cort alt baj anch estrech redond cuadrad ovalad plan grues delgad fin liger pesad bland dur medi
          nuev viej usad reacondicionad antigu electronic electric automatic mecanic optic magnetic acustic termic
          portatil inalambric compact plegad rigid adhesiv maciz organic ecologic natur vegan vegetarian sec
          fresc molid tostad congelad ahumad salad azucarad frit caser clasic modern elegant deportiv unic doble sencill
          italian american mexican hinchad inflad metalic plastic ceramic
          impermead acolchad forrad reforzad nin`,
          GENDERS,
        )}
        ${inflected(
          `verde grande mini gigante naranja rosa violeta turquesa beige transparente brillante mate bicolor
          plegable ajustable regulable extensible extraible apilable desmontable recargable reutilizable lavable hinchable
          impermeable resistente antideslizante antiadherente doble triple simple multiple adulto bebe hombre mujer chico chica senora caballero
          perro gato flexible suave fuerte caliente dulce picante estandar`,
          PLURAL,
        )}
        ${inflected("azul gris marron multicolor digital manual universal profesional original natural integral vegetal solar infantil juvenil portatil", "- es")}
        ${inflected("espanol ingles frances aleman", "- a es as")} basico basica basicos basicas
        plata oro cobre bronce laton titanio grafito antracita crudo marfil crema caqui lila malva fucsia magenta cian burdeos granate
        acero inox inoxidable hierro aluminio metal cromo madera maciza roble haya pino nogal acacia bambu teca plastico plasticos
        acrilico ceramica porcelana caucho goma silicona nailon nylon poliester cuero piel polipiel ante algodon lino lana terciopelo seda
        vaquero denim fieltro polar corcho ratan marmol hormigon vidrio cristal maxi midi micro deluxe lite light basic bio eco pack set
        adultos ninos interior exterior gran buen`,
    },
    measures: {
      units: `
        v voltio voltios
        w vatio vatios
        kw kilovatio kilovatios
        hp cv caballo caballos
        a amperio amperios
        mah miliamperio miliamperios
        kcal kilocaloria kilocalorias calorias
        m metro metros mts
        km kilometro kilometros
        dm decimetro decimetros
        cm centimetro centimetros
        mm milimetro milimetros
        in pulgada pulgadas pulg
        ft pie pies
        m2 metro_cuadrado metros_cuadrados
        kg kilogramo kilogramos
        g gramo gramos grs
        mg miligramo miligramos
        tonne tonelada toneladas
        lb libra libras
        oz onza onzas
        l litro litros lts
        dl decilitro decilitros
        cl centilitro centilitros
        ml mililitro mililitros
        m3 metro_cubico metros_cubicos
        gal galon galones
        cup taza tazas
        s segundo segundos seg
        min minuto minutos
        h hora horas
        day dia dias
        week semana semanas
        month mes meses
        year ano anos
        pc pieza piezas unidad unidades uds ud pzas pzs
        dozen docena docenas
        pk paquete paquetes
        seat plaza plazas asiento asientos
        person persona personas comensales
        player jugador jugadores
        drawer cajon cajones
        door puerta puertas
        shelf estante estantes balda baldas
        tier nivel niveles pisos
        step peldano peldanos escalon escalones
        panel paneles
        pocket bolsillo bolsillos compartimentos
        slice rebanada rebanadas loncha lonchas
        burner fuego fuegos quemador quemadores
        wheel rueda ruedas
        speed velocidad velocidades
        string cuerda cuerdas
        key tecla teclas
        blade cuchilla cuchillas
        hole agujero agujeros
        ring anilla anillas aros
        pair par pares
        layer capa capas
        zone zona zonas
        channel canal canales
        port puerto puertos
        core nucleo nucleos
        outlet toma tomas enchufe enchufes
        sheet hoja hojas
        page pagina paginas
        room habitacion habitaciones`,
      numbers: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
      packsOf: `pack de, paquete de, lote de, juego de, set de, caja de, bolsa de, conjunto de, estuche de, kit de, packs de`,
    },
    attributes: {
      title: "titulo nombre denominacion nombreproducto nombredelproducto",
      category: "categoria categorias tipodeproducto tipoproducto familia seccion departamento coleccion",
      identifier: "referencia ref codigo codigoarticulo codigoproducto numerodearticulo codigodebarras",
    },
    probes: `
      mesa silla cortina espejo sartén cuchillo café sopa manguera césped tomate flor martillo tornillo pintura escalera
      lámpara vela cable humo abrigo chaqueta bufanda cinturón zapato bota calcetín sombrero pendiente reloj anillo bolso
      pintalabios pelo afeitadora esmalte vitamina tos rodilla sangre bebé rompecabezas peluche escuela perro gato pez pájaro
      bicicleta batería aceite techo alfombrilla raqueta caña natación tienda dormir almohada maleta guitarra piano disco tambor
      videojuego ratón ordenador impresora teléfono cámara memoria altavoz bolígrafo papel calendario caja novela cocina atlas película
      aceituna té chocolate salmón vino zumo tarta desayuno detergente aspiradora toalla ducha costura lana pincel arcilla
      impuesto contrato cuenta tribunal tren hotel mapa aeropuerto tiempo océano sol volcán corazón proteína estudio cirugía
      castillo filosofía ópera escultura empleo idioma examen profesor fútbol ajedrez maratón cartas servidor contraseña archivo programa`,
    alphabet: ["n ñ"],
  };
}
