import { Chains } from './chains.ts';

export { Chains };

export default Chains;
