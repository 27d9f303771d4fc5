/** Compares names as people sort them: "Lamp 2" before "Lamp 10", on every machine alike. */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare;
