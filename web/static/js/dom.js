// Small helpers for making elements. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children (elements or strings). */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets the text only where it changed, so that nothing is announced or repainted for nothing. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
