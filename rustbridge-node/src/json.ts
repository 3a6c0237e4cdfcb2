// JSON with integers of any size: what a `number` doesn't hold exactly is a `bigint`, both ways.

import { randomUUID } from 'node:crypto';

/** Stands for a `bigint` until its digits are put in. No text has it that wasn't made to have it. */
const MARK = `bigint ${randomUUID()} `;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Whether a text may have an integer that a `number` doesn't hold. */
const MANY_DIGITS = /\d{16}/;

/** A string, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

function mark(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? MARK + value : value;
}

function unmark(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
}

/** @internal Writes a value as JSON; `null` where there's none. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    // What else it may be is thrown again.
    return (JSON.stringify(value, mark) ?? 'null').replace(MARKED, '$1');
  }
}

/** @internal Reads a value. */
export function parse(text: string): unknown {
  if (!MANY_DIGITS.test(text)) {
    return JSON.parse(text);
  }
  const marked = text.replace(TOKEN, (token) => {
    if (!INTEGER.test(token) || Number.isSafeInteger(Number(token))) {
      return token;
    }
    return `"${MARK}${token}"`;
  });
  return JSON.parse(marked, unmark);
}
