import type { FastifyInstance, FastifyReply } from 'fastify';
import { revealEtch } from '../../../acts/reveal-store.ts';
import { makeOpening } from '../../../etches/opening.ts';
import { etchView } from '../../../etches/view.ts';
import { Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { etchFinder } from '../find-subject.ts';

interface Path {
  Params: { id: string };
}

export function mountEtchActions(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, view, openings, meters } = deps;
  const { reader } = deps.etches;
  const find = etchFinder(reader);

  /** Opening requires a form, so that a link on another site cannot cause its work. */
  pages.post<Path>('/e/:id/opening', async (request, reply) => {
    const caller = callerOf(request);
    const { id, code } = await find(request.params.id);
    const count = () => meters.opening.take(caller.userId, 1);
    let opening;
    try {
      opening = await makeOpening(openings, caller, id, count);
    } catch (error) {
      return refused(reply, id, error);
    }
    return reply
      .header('Cache-Control', 'no-store')
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="opening-${code}.json"`)
      .send(`${JSON.stringify(opening, null, 2)}\n`);
  });

  pages.post<Path>('/e/:id/reveal', async (request, reply) => {
    const caller = callerOf(request);
    const { id } = await find(request.params.id);
    try {
      await revealEtch(db, view.keyring, caller, id, clock.now());
    } catch (error) {
      return refused(reply, id, error, 'early');
    }
    return seeOther(reply, `/e/${id}`);
  });

  async function refused(
    reply: FastifyReply,
    id: string,
    error: unknown,
    whileSealed?: 'early',
  ): Promise<FastifyReply> {
    if (isForAuthor(error)) return seeOther(reply, `/e/${id}?notice=author`);
    if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error;
    const { status } = etchView(await reader.get(id), clock.now(), view);
    const notice = { sealed: whileSealed, retracted: 'retracted', revealed: 'public' }[status];
    if (notice === undefined) throw error;
    return seeOther(reply, `/e/${id}?notice=${notice}`);
  }
}

export const isForAuthor = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'forbidden';
