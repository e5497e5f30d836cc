// Portuguese, of Brazil and Portugal. Snowball gets the light form as a masculine: without accents it would not know the plurals of "ão".

import { inflected, type LanguageRules, loadStemmer } from "../language-rules.js";

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (/[oa]es$|aos$/.test(word)) return `${word.slice(0, -3)}ao`;
  if (word.length > 4 && /[aou]is$/.test(word)) return `${word.slice(0, -2)}l`;
  if (word.length > 4 && word.endsWith("eis"))
    return /[vt]eis$/.test(word) ? `${word.slice(0, -3)}el` : `${word.slice(0, -2)}l`;
  if (word.length > 4 && /[rzs]es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("ns")) return `${word.slice(0, -2)}m`;
  return /(?:[iu]s|ss)$/.test(word) && !/(?:xi|wi|qui|ni|ru|pu)s$/.test(word) ? word : word.slice(0, -1);
}

function lightForm(word: string): string {
  const one = singular(word);
  return one.length > 3 && /[aoe]$/.test(one) && !one.endsWith("ao") ? one.slice(0, -1) : one;
}

const GENDERS = "o a os as";
const PLURAL = "- s";

export async function portugueseRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("portuguese");
  return {
    tag: "pt",
    id: "portuguese-1",
    stem: (word) => {
      const light = lightForm(word);
      return light.length < 3 || light.endsWith("ao") ? light : snowball(`${light}o`);
    },
    lightForm,
    stopWords: `
      o a os as um uma uns umas de do da dos das e ou em no na nos nas num numa ao aos com para por pelo pela entre sobre desde ate seu sua
      seus suas meu minha teu tua nosso nossa eu ele ela eles que como este esta esse essa isto se me te lhe nao sao`,
    titles: {
      head: "first",
      boundaries:
        "de do da dos das para com sem em no na nos nas a ao aos por pelo pela sobre contra entre desde compativel compativeis inclui incluso inclusa incluindo",
      ends: "o os as um uma uns umas meu minha seu sua",
      joiners: "e ou",
      attributes: `
        ${inflected(
          `pret branc vermelh amarel rox rosad dourad pratead alaranjad acinzentad clar escur estampad bordad listrad tecid lis fosc
          pequen long curt alt baix larg estreit redond quadrad plan gross fin pesad maci dur medi
          nov velh usad recondicionad antig eletric electric eletronic electronic automatic mecanic otic optic magnetic termic
          compact rigid adesiv macic organic ecologic vegan vegetarian sec fresc moid torrad congelad defumad salad acucarad frit
          classic modern unic dupl basic american mexican italian plastic metalic ceramic acolchoad forrad
          reforcad inflad menin`,
          GENDERS,
        )}
        ${inflected(
          `verde cinza grande laranja rosa turquesa bege transparente brilhante mate quente leve forte doce picante suave resistente
          antiaderente elegante crianca bebe adulto senhora rapariga cachorro gato`,
          PLURAL,
        )}
        ${inflected(
          "dobrav ajustav regulav empilhav desmontav removiv recarregav reutilizav lavav inflav insuflav impermeav portat flexiv extensiv",
          "el eis",
        )}
        ${inflected("manu digit univers profission origin natur integr veget", "al ais")}
        azul azuis marrom marrons castanho castanha castanhos castanhas violeta lilas portatil portateis infantil infantis juvenil juvenis
        duplo triplo tripla simples multiplo multicolor bicolor homem homens mulher mulheres rapaz rapazes alemao alema ingles inglesa ingleses frances francesa
        portugues portuguesa espanhol espanhola sem-fio bluetooth wireless
        prata ouro cobre bronze latao titanio grafite antracite cru marfim creme caqui malva fucsia magenta ciano bordo vinho
        aco inox inoxidavel ferro aluminio metal cromo madeira macica carvalho faia pinho pinus nogueira acacia bambu teca plastico
        acrilico ceramica porcelana borracha silicone nylon poliester couro pele camurca algodao linho la veludo seda jeans ganga
        denim feltro cortica rattan ratan marmore betao concreto vidro cristal
        masculino masculina feminino feminina masculinos masculinas femininos femininas unisex unissex interior exterior interno externo
        cao caes pp p m g gg xg xs s l xl xxl xxxl mini maxi midi micro pro plus premium deluxe lite light bio eco kit led usb wifi`,
    },
    measures: {
      units: `
        hp cv cavalo cavalos
        kcal quilocaloria quilocalorias calorias
        m metro metros
        km quilometro quilometros
        dm decimetro decimetros
        cm centimetro centimetros
        mm milimetro milimetros
        in polegada polegadas pol
        ft pe pes
        m2 metro_quadrado metros_quadrados
        kg quilo quilos quilograma quilogramas
        g grama gramas
        mg miligrama miligramas
        tonne tonelada toneladas
        lb libra libras
        oz onca oncas
        l litro litros lt
        dl decilitro decilitros
        cl centilitro centilitros
        ml mililitro mililitros
        m3 metro_cubico metros_cubicos
        gal galao galoes
        cup xicara xicaras chavena chavenas
        s segundo segundos seg
        min minuto minutos
        h hora horas
        day dia dias
        week semana semanas
        month mes meses
        year ano anos
        percent porcento
        pc peca pecas unidade unidades un und
        dozen duzia duzias
        pk pacote pacotes
        seat lugar lugares assento assentos
        person pessoa pessoas
        player jogador jogadores
        drawer gaveta gavetas
        door porta portas
        shelf prateleira prateleiras
        tier nivel niveis andares
        step degrau degraus
        panel painel paineis
        pocket bolso bolsos compartimentos
        slice fatia fatias
        burner boca bocas queimador queimadores
        wheel roda rodas
        speed velocidade velocidades marchas
        string corda cordas
        key tecla teclas
        blade lamina laminas
        hole furo furos
        ring argola argolas
        pair par pares
        ply folha_dupla folhas_duplas
        layer camada camadas
        zone zona zonas
        channel canal canais
        port porta_usb portas_usb
        core nucleo nucleos
        outlet tomada tomadas
        sheet folha folhas
        page pagina paginas
        room quarto quartos`,
      numbers: "um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze",
      packsOf:
        "pack de, pacote de, pacote com, conjunto de, conjunto com, kit de, kit com, jogo de, jogo com, caixa de, caixa com, lote de, embalagem de",
    },
    attributes: {
      title: "titulo nome designacao denominacao nomedoproduto nomeproduto",
      category: "categoria categorias tipodeproduto tipoproduto departamento secao seccao colecao familia",
      identifier: "referencia codigo codigodoproduto codigoproduto codigodebarras numerodoartigo",
    },
    probes: `
      mesa cadeira cortina espelho frigideira faca café sopa mangueira relva tomate flor martelo parafuso tinta escada
      candeeiro vela cabo fumo casaco jaqueta cachecol cinto sapato bota meia chapéu brinco relógio anel mala
      batom cabelo barbeador esmalte vitamina tosse joelho sangue bebê puzzle pelúcia escola cão gato peixe pássaro
      bicicleta bateria óleo telhado tapete raquete pesca natação barraca sono travesseiro bagagem guitarra piano disco tambor
      videogame rato computador impressora telefone câmera memória altifalante caneta papel calendário caixa romance cozinha atlas filme
      azeitona chá chocolate salmão vinho suco bolo pequeno-almoço detergente aspirador toalha chuveiro costura lã pincel argila
      imposto contrato conta tribunal comboio hotel mapa aeroporto tempo oceano sol vulcão coração proteína estudo cirurgia
      castelo filosofia ópera escultura emprego língua exame professor futebol xadrez maratona cartas servidor senha arquivo programa`,
  };
}
