// What single code units are to the scanner, in tables that grow with the texts that are read: most texts hold few different
// characters, and to look one up takes no time.
import { classAt } from "../character-class.js";
import { formAlone } from "../normalize-text.js";
/** The halves of pairs, which mean nothing alone. */
const FIRST_HALF = 0xd800;
const LAST_HALF = 0xdfff;
const ASCII = 0x80;
/** Of all code units: how many there are. */
export const CODE_UNITS = 0x10000;
/** Normal forms and classes by code unit. */
export class CharacterTables {
    /** The normal form that a unit has whatever stands beside it, where that is one unit; 0: it has none, or is not known. */
    forms;
    /** The class of a unit of normalised text; 0: it is half of a pair, or not known. */
    classes;
    /** The tables may lie in a memory; they begin with what ASCII is. */
    constructor(forms = new Uint16Array(CODE_UNITS), classes = new Uint8Array(CODE_UNITS)) {
        this.forms = forms;
        this.classes = classes;
        for (let unit = 0; unit < ASCII; unit++) {
            this.learnForm(unit);
            this.learnClass(unit);
        }
    }
    /** Learns the forms of the units of a text; true: all of them have one. */
    learnForms(text) {
        for (let at = 0; at < text.length; at++) {
            const unit = text.charCodeAt(at);
            if (this.forms[unit] === 0 && !this.learnForm(unit))
                return false;
        }
        return true;
    }
    /** Learns the classes of the units of a normalised text; true: all of them have one. */
    learnClasses(units, length) {
        for (let at = 0; at < length; at++) {
            const unit = units[at];
            if (this.classes[unit] === 0 && this.learnClass(unit) === 0)
                return false;
        }
        return true;
    }
    /** The class of a unit; 0: half of a pair. */
    learnClass(unit) {
        if (unit >= FIRST_HALF && unit <= LAST_HALF)
            return 0;
        const found = classAt(String.fromCharCode(unit), 0);
        this.classes[unit] = found;
        return found;
    }
    learnForm(unit) {
        const form = formAlone(String.fromCharCode(unit));
        if (form?.length !== 1)
            return false;
        this.forms[unit] = form.charCodeAt(0);
        return true;
    }
}
