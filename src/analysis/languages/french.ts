// French. Snowball leaves short plurals and some feminine forms as they are ("vélos", "blanche"): it gets their singular, masculine form.

import { inflected, type LanguageRules, loadStemmer, pairsOf } from "../language-rules.js";

/** Masculine forms that no ending tells. */
const MASCULINE = pairsOf(`
  blanc blanche, franc franche, sec seche, frai fraiche, dou douce, rou rousse, fau fausse, long longue, neuf neuve, vieu vieille,
  nouveau nouvelle, nouveau nouvel, beau belle, gro grosse, gra grasse, epai epaisse, creu creuse, gentil gentille, public publique,
  bref breve, oeil oeil, oeil yeux`);

/** The singular of a plural in "s" or "x"; what ends so in the singular loses it as well. */
function singular(word: string): string {
  if (word.length < 4) return word;
  if (/.{3}aux$/.test(word) && !/[ey]aux$/.test(word)) return `${word.slice(0, -3)}al`;
  if (/(?:[ae]u|ou)x$/.test(word)) return word.slice(0, -1);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function lightForm(word: string): string {
  const one = singular(word);
  const known = MASCULINE.get(one);
  if (known !== undefined) return known;
  if (one.length < 5) return one.length === 4 && one.endsWith("e") ? one.slice(0, -1) : one;
  if (one.endsWith("euse")) return one.slice(0, -2);
  if (one.endsWith("iere")) return `${one.slice(0, -4)}ier`;
  if (/.{3}[ao]ise$/.test(one)) return one.slice(0, -2);
  if (one.endsWith("ive")) return `${one.slice(0, -3)}if`;
  if (/(?:elle|enne|onne|ette)$/.test(one)) return one.slice(0, -2);
  return one.replace(/e{1,2}$/, "");
}

const PLURAL = "- s";

export async function frenchRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("french");
  return {
    tag: "fr",
    id: "french-1",
    stem: (word) => snowball(lightForm(word)),
    lightForm,
    stopWords: `
      le la les un une des du de et ou a au aux en dans par pour sur sous avec ce cet cette ces se sa son ses mon ma mes ton ta tes
      notre nos votre vos leur leurs je tu il elle nous vous ils elles on qui que qu est sont ne pas y chez`,
    elisions: "l d j m n s t c qu jusqu lorsqu puisqu quoiqu quelqu presqu",
    titles: {
      head: "first",
      boundaries:
        "de du des pour avec sans en a au aux par sur sous compatible compatibles contre dans chez selon avant apres entre inclus incluant",
      ends: "le la les un une mon ma mes notre votre ce cette",
      joiners: "et ou",
      attributes: `
        ${inflected(
          `noir gris bleu vert violet brun dore argente colore rouge jaune rose beige marron orange turquoise bordeaux
          petit grand court haut etroit rond carre rectangulaire ovale plat lourd fin moyen
          portatif compact pliable pliant reglable ajustable extensible empilable amovible rechargeable lavable reutilisable gonflable
          electrique electronique automatique manuel mecanique numerique digital optique magnetique solaire etanche impermeable
          antiderapant resistant imprime brode tisse tricote double simple triple multiple universel professionnel classique moderne
          elegant sportif original neuf nouveau nouvelle ancien vieux belle beau bon joli reconditionne occasion
          naturel biologique vegan vegetalien vegetarien frais sec seche sale sucre doux leger epais mince large long longue
          blanc blanche fraiche douce legere epaisse neuve gros grosse fonce clair transparent mat brillant brillante uni raye
          multicolore bicolore metallique metallise francais anglais allemand italien espagnol
          adulte enfant bebe homme femme garcon fille junior senior unisexe chien chat interieur exterieur sans-fil`,
          PLURAL,
        )}
        ${inflected(
          `noir gris bleu vert brun dore argente colore petit grand court haut etroit rond carre plat lourd fin compact pliant
          etanche resistant imprime brode tisse tricote elegant original naturel joli reconditionne vegan sale sucre fonce clair
          transparent mat uni raye metallise francais anglais allemand italien espagnol inclinable droit gauche portant`,
          "e es",
        )}
        violette violettes moyenne moyennes portative portatives sportive sportives manuelle manuelles naturelle naturelles universelle
        universelles professionnelle professionnelles vegetalienne vegetariennes vegetarienne ancienne anciennes italienne italiennes bonne
        bonnes vieille vieilles nouveaux beaux multifonction argent or cuivre bronze laiton titane anthracite ecru ivoire creme kaki lilas
        mauve fuchsia cyan magenta acier inox inoxydable fer aluminium alu metal chrome bois massif chene hetre pin noyer acacia bambou
        teck plastique acrylique ceramique porcelaine caoutchouc silicone nylon polyester cuir similicuir daim coton lin laine velours soie
        jean denim feutre polaire liege rotin marbre beton verre fonte gres maxi midi micro deluxe lite light basic standard bio eco design`,
    },
    measures: {
      units: `
        hp ch cv cheval chevaux
        kwh kilowattheure kilowattheures
        kcal calories
        in pouce pouces po
        ft pied pieds
        m2 metre_carre metres_carres
        lb livre livres
        oz once onces
        m3 metre_cube metres_cubes
        cup tasse tasses
        b octet octets
        kb ko
        mb mo
        gb go
        tb to
        s seconde secondes
        h heure heures
        day jour jours
        week semaine semaines
        month mois
        year an ans annee annees
        percent pourcent
        pc unite unites
        dozen douzaine douzaines
        pk paquet paquets
        seat place places siege sieges
        person personne personnes couverts
        player joueur joueurs
        drawer tiroir tiroirs
        door porte portes
        shelf etagere etageres tablette tablettes
        tier niveau niveaux etage etages
        step marche marches
        panel panneau panneaux
        pocket poche poches
        slice tranche tranches
        burner feu feux bruleur bruleurs
        wheel roue roues
        speed vitesse vitesses
        string corde cordes
        key touche touches
        blade lame lames
        hole trou trous
        ring anneau anneaux
        pair paire paires
        ply epaisseur epaisseurs pli plis
        layer couche couches
        channel canal canaux
        core coeur coeurs
        outlet prise prises
        sheet feuille feuilles
        room chambre chambres`,
      numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
      packsOf: `lot de, lots de, pack de, paquet de, boite de, set de, jeu de, ensemble de, sachet de, carton de, coffret de, etui de,
        lot x`,
    },
    attributes: {
      title: "titre nom designation libelle intitule nomproduit nomduproduit",
      category: "categorie categories rayon typedeproduit typeproduit famille collection",
      identifier: "reference ref referenceproduit codearticle codeproduit numeroarticle codebarres codebarre",
    },
    probes: `
      table chaise rideau miroir poêle couteau café soupe tuyau gazon tomate fleur marteau vis peinture échelle
      lampe bougie câble fumée manteau veste écharpe ceinture chaussure botte chaussette chapeau boucle montre bague sac
      rouge-à-lèvres cheveux rasoir ongle vitamine toux genou sang bébé puzzle peluche école chien chat poisson oiseau
      vélo batterie huile toit tapis raquette pêche natation tente sommeil oreiller valise guitare piano disque tambour
      jeu souris ordinateur imprimante téléphone caméra mémoire haut-parleur stylo papier calendrier boîte roman cuisine atlas film
      olive thé chocolat saumon vin jus gâteau petit-déjeuner lessive aspirateur serviette douche couture laine pinceau argile
      impôt contrat compte tribunal train hôtel carte aéroport météo océan soleil volcan cœur protéine étude chirurgie
      château philosophie opéra sculpture emploi langue examen professeur football échecs marathon poker serveur passe fichier programme`,
  };
}
