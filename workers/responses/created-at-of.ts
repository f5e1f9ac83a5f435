export { createdAtOf } from '../../domain/ids/created-at-of.ts';
