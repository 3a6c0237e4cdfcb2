// Runs inside the report's page: `WIDTH` and `PRINT` stand before it. What is wrong goes to the page around it, a line each.

const problems = [];
const seen = new Set();

function problem(text) {
  const line = text.replace(/[<>&\n]/g, " ").slice(0, 200);
  if (problems.length < 30 && !seen.has(line)) {
    seen.add(line);
    problems.push(line);
  }
}

addEventListener("error", (event) => problem(`error: ${event.message || event.target.outerHTML}`), true);
addEventListener("unhandledrejection", (event) => problem(`rejection: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => problem(`policy: ${event.violatedDirective}`));
for (const level of ["error", "warn"]) {
  console[level] = (...words) => problem(`console.${level}: ${words.join(" ")}`);
}

function name(element) {
  const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 60);
  return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""} "${text}"`;
}

// What lies in a region of its own scrolls there; on paper nothing scrolls.
function scrolls(element) {
  return !PRINT && element.closest(".scroll") !== null;
}

function checkWidths() {
  if (innerWidth !== WIDTH) problem(`the window is ${innerWidth} wide instead of ${WIDTH}`);
  const wide = document.documentElement.scrollWidth;
  if (wide > document.documentElement.clientWidth) problem(`the page is ${wide} wide`);
  const right = document.documentElement.clientWidth + 1;
  for (const element of document.body.querySelectorAll("*")) {
    if (scrolls(element) && !element.matches(".scroll")) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > right || box.left < -1)) {
      problem(`${name(element)} reaches from ${box.left.toFixed()} to ${box.right.toFixed()}`);
    }
  }
}

function checkTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("title, desc, style, script") || !parent.checkVisibility()) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 6) problem(`${name(parent)} is ${box.width} by ${box.height}`);
  }
}

function overlap(a, b) {
  return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
}

function checkCharts() {
  const charts = [...document.querySelectorAll("svg")];
  if (charts.length === 0 && document.querySelectorAll("td").length > 0) problem("there is no chart");
  for (const chart of charts) {
    for (const part of ["title", "desc"]) {
      const found = chart.querySelector(`:scope > ${part}`);
      if (!found || !found.textContent.trim()) problem(`a chart without a ${part}`);
    }
    const frame = chart.getBoundingClientRect();
    if (frame.width < 200 || frame.height < 20) problem(`a chart of ${frame.width} by ${frame.height}`);
    const texts = [...chart.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    for (const [index, [text, box]] of texts.entries()) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 4) {
        problem(`${name(text)} leaves its chart`);
      }
      for (const [other, its] of texts.slice(index + 1)) {
        if (overlap(box, its)) problem(`${name(text)} and ${name(other)} cover one another`);
      }
    }
  }
}

addEventListener("load", () => {
  for (const check of [checkWidths, checkTexts, checkCharts]) {
    try {
      check();
    } catch (error) {
      problem(`${check.name}: ${error}`);
    }
  }
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  for (const address of loaded.filter((address) => !address.startsWith("data:"))) problem(`it loads ${address}`);
  parent.postMessage(problems.join("\n"), "*");
});
