import { readTimestamp } from '../codec/timestamp.ts';

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
const DATE = /^\d{8}$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{3,9})?$/;

/** Whether a value is written as its data type asks (FIX 4.4 volume 1, data types). */
export function isValidFormat(type: string, value: string): boolean {
  switch (type) {
    case 'INT':
    case 'SEQNUM':
    case 'NUMINGROUP':
    case 'LENGTH':
      return INTEGER.test(value);
    case 'FLOAT':
    case 'PRICE':
    case 'PRICEOFFSET':
    case 'QTY':
    case 'AMT':
    case 'PERCENTAGE':
      return DECIMAL.test(value);
    case 'CHAR':
      return value.length === 1;
    case 'BOOLEAN':
      return value === 'Y' || value === 'N';
    case 'UTCTIMESTAMP':
      return readTimestamp(value) !== null;
    case 'UTCDATEONLY':
    case 'LOCALMKTDATE':
      return DATE.test(value) && readTimestamp(`${value}-00:00:00`) !== null;
    case 'UTCTIMEONLY':
      return TIME.test(value);
    default:
      return true;
  }
}
