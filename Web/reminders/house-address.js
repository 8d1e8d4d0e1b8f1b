import { field } from "../elements/field.js";
import { t } from "../language/text.js";

/**
 * The field for the address in digits of a server whose name leads into the house. It is hidden until the hub asks for it.
 */
export function houseAddressField() {
    const own = field({
        label: t`Its address in your own network`, name: "houseAddress", hint: t`Such as 192.168.1.20`,
        attributes: { inputmode: "decimal", spellcheck: "false" },
    });
    own.node.hidden = true;
    return {
        name: own.name, node: own.node, input: own.input, get value() { return own.node.hidden ? "" : own.value; },
        problem(words) {
            if (words) own.node.hidden = false;
            own.problem(words);
        },
    };
}
