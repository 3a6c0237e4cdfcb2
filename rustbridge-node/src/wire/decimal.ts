/** The most characters of a decimal number. */
const MOST = 1000;

/** Whether a text is a decimal number: digits, perhaps with a minus before and a point between them. */
export function isDecimal(text: string): boolean {
  return text.length <= MOST && /^-?[0-9]+(?:\.[0-9]+)?$/.test(text);
}
