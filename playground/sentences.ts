// What reads sentences, as a script that the worker loads when a query is to be understood.

import winkModel from "wink-eng-lite-web-model";
import winkNlp from "wink-nlp";

Object.assign(globalThis, { winkNlp, winkModel });
