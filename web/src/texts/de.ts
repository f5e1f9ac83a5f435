import { en } from './en.ts';
export const de: Readonly<Record<keyof typeof en, string>> = en;
