// Machines with other costs: a platform's XML with some of its numbers multiplied.

// What a factor multiplies: attributes of links and clusters, and in props of which the id matches the numbers of some
// keys. A factor is of a speed where it divides times.
const parts = {
    latency: {
        about: "latency: what a message takes however short it is",
        attributes: { latency: 1, lat: 1 },
        props: { "^message": /^(start|hop)$/, "^(send|receive)_overhead": /^start$/, "^link_init$": /^$/ },
    },
    bandwidth: {
        about: "bandwidth: bytes in a second",
        attributes: { bandwidth: 1, bw: 1 },
        props: { "^message": /^(byte|byte_hop)$/, "^(send|receive)_overhead": /^byte$/ },
        isSpeed: true,
    },
    cpu: { about: "speed of the processor's integer unit", props: { "^kernel\\.": /^cpu$/ }, isSpeed: true },
    fpu: { about: "speed of the floating-point unit", props: { "^kernel\\.": /^fpu$/ }, isSpeed: true },
    memory: { about: "speed of the memory", props: { "^kernel\\.": /^(external|internal|fetch)$/ }, isSpeed: true },
    io: { about: "speed of input and output", props: { "^(input|output)$": /^(start|byte)$/ }, isSpeed: true },
};

export const factorNames = Object.keys(parts);
export const aboutFactor = name => parts[name].about;

const number = /^(-?[0-9.]+(?:e-?[0-9]+)?)(.*)$/;
const scaled = (text, factor) => {
    const found = number.exec(text);
    return found ? `${Number((Number(found[1]) * factor).toPrecision(12))}${found[2]}` : text;
};

function scaleProp(value, keys, factor) {
    return value
        .split(/\s+/)
        .map(word => {
            const [key, amount] = word.includes("=") ? word.split("=") : ["", word];
            if (!keys.test(key)) return word;
            return key === "" ? scaled(amount, factor) : `${key}=${scaled(amount, factor)}`;
        })
        .join(" ");
}

// text: the platform's XML. factors: { latency: 2, ... }, of which 1 changes nothing.
export function withFactors(text, factors) {
    const document = new DOMParser().parseFromString(text, "application/xml");
    for (const [name, factor] of Object.entries(factors)) {
        const { attributes = {}, props, isSpeed } = parts[name];
        for (const [attribute] of Object.entries(attributes))
            for (const node of document.querySelectorAll(`link[${attribute}], cluster[${attribute}]`))
                node.setAttribute(attribute, scaled(node.getAttribute(attribute), factor));
        for (const prop of document.querySelectorAll("prop"))
            for (const [id, keys] of Object.entries(props))
                if (new RegExp(id).test(prop.getAttribute("id")))
                    prop.setAttribute("value", scaleProp(prop.getAttribute("value"), keys, isSpeed ? 1 / factor : factor));
    }
    return new XMLSerializer().serializeToString(document) + "\n";
}
