export { default } from '../../workers/index.ts';
export * from '../../workers/index.ts';
