import type { FollowTarget } from '@svc/contract';
import type { Site } from '../site.ts';
import { Button, PostForm } from './form.tsx';

export interface Following {
  type: FollowTarget;
  id: string;
  followed: boolean;
}

type FollowButtonProps = { site: Site; following: Following | undefined; back: string; what: string };

export function FollowButton({ site, following, back, what }: FollowButtonProps) {
  if (!site.viewer || !following) {
    return (
      <a class="quiet" href={`/sign-in?return=${encodeURIComponent(back)}`}>
        Sign in to follow {what}
      </a>
    );
  }
  const { type, id, followed } = following;
  return (
    <PostForm
      class="inline"
      action={followed ? '/unfollow' : '/follow'}
      sends={{ target_type: type, target_id: id, return: back }}
    >
      <Button kind="secondary">{`${followed ? 'Stop following' : 'Follow'} ${what}`}</Button>
    </PostForm>
  );
}
