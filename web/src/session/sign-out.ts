import { ApiProblem } from '../api/api-problem.ts';
import { endSession } from './session.ts';

/**
 * Ends the session. It throws while the session may go on: its cookie is out of a script's reach, so whoever sits down next would be this person. A
 * session that is over already is ended.
 */
export async function signOut(everywhere: boolean, end = endSession): Promise<void> {
  try {
    await end(everywhere);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
    // The others of this person could not be ended by it.
    if (everywhere) throw error;
  }
}
