// What wink-nlp knows of English words besides their stems, written down: loading its lexicon for this alone would take longer
// than anything else that the first query waits for. A test compares both for each word of that lexicon.

/** Words that count only when nothing else is asked for. */
export const STOP_WORDS: ReadonlySet<string> = setOf(`
  a about above abt across after afterwards again against aint all almost alone along already also although always am
  amnt among amongst amount an and another any anyhow anyone anything anyway anywhere are arent around as at back bcoz
  be became because become becomes becoming been before beforehand behind being below beside besides between beyond both
  bottom but by caint call can cannot cant cd could couldnt couldve cuz da dasnt did didnt dis do does doesnt doin doing
  done dont down due during each eight either eleven else elsewhere empty enough etc even ever every everyone everywhere
  except few fifteen fifty first five for former formerly forty four from front full further get give go gont had hadnt
  has have havent he hence her here hereafter hereby herein hereupon hers herself heve him himself his how however howll
  howre hundred i iam ie if in inc indeed into is isnt it itll its itself ive just keep last latter latterly least less
  made make many may maynt mayve me meanwhile might mightnt mightve mine more moreover most mostly move much must mustnt
  mustve my myself nah name namely neither never nevertheless next nine no nobody none nope nor not nothing notve now
  nowhere of off often on once one only onto or other otherwise our ours ourselves out over own part per perhaps please
  pls plz put quite rather re really regarding same say see seem seemed seeming seems serious seven several shd she
  should shouldnt shouldve show side since six sixty so some somehow someone something sometime sometimes somewhere
  still such take ten than that thatll thatre the their them themselves then thence there thereafter thereare thereby
  therefore therein therell these thesere they theyll theyre theyve third this those thosere though three through
  throughout thru thus to together too top toward towards twelve twenty two under unless until up upon us used using
  various very via was wasnt we well were werent weve what whatever whatll whatre whatve when whence whenever where
  whereas whereby wherein wherere whereve wherever whether which while who whoever whole whom whose whove why whyre will
  with within without wont would wouldnt wouldve woz wtv yet you youll your youre yours yourself yourselves youve`);

/** Two words in one, without their apostrophe: no stem is taken of them. */
export const CONTRACTIONS: ReadonlySet<string> = setOf(`
  aint amnt arent caint cannot cant couldnt couldve darent daresnt dasnt didnt doesnt dont gont hadnt havent heve howll
  howre iam isnt itll ive maynt mayve mightnt mightve mustnt mustve notve oughtnt shallnt shant shouldnt shouldve thatll
  thatre thereare therell thesere theyll theyre theyve thosere wasnt werent weve whatll whatre whatve wherere whereve
  whove whyre wont wouldnt wouldve youll youre youve`);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
