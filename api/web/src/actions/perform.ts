// Asks the server for something, and says what went wrong.
import { ApiError } from '../net/http.js';
import { showNote } from '../ui/toasts.jsx';

/** One request; null when it failed, which has been shown. */
export async function attempt<Answer>(request: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showNote({ look: 'bad', text: error.message });
    return null;
  }
}
