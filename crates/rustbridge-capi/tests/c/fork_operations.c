/* After a fork the child has none of the parent's queues and operations, and waits for none. Usage: fork_operations PUPPET. POSIX only. */
#include <sys/wait.h>
#include <unistd.h>

#include "operations.h"

static rb_queue inherited;

THREAD_FUNCTION(drain) {
  rb_event events[1];
  size_t count;
  rb_status *status = (rb_status *)argument;
  events[0].size = sizeof events[0];
  *status = rb_queue_poll(inherited, events, 1, NULL, 0, UINT64_MAX, &count, NULL);
  THREAD_RETURN;
}

static void in_the_child(const char *path, rb_instance puppet, rb_op op) {
  rb_response error = no_storage();
  rb_batch batch = batch_of("a", 1, 1, 0);
  rb_submission submission = submission_of(puppet, 0, NULL, 0, 0);
  rb_event events[1];
  ptrdiff_t descriptor;
  size_t count;
  rb_instance own;
  rb_queue queue;
  rb_op fresh;
  events[0].size = sizeof events[0];
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_cancel(op, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_detach(op, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_demand(op, 1, 1, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_write(op, &batch, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_end(op, RB_OK, NULL, 0, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_queue_poll(inherited, events, 1, NULL, 0, UINT64_MAX, &count, &error), &error,
              "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_queue_fd(inherited, &descriptor, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_queue_wake(inherited, &error), &error, "rustbridge.Forked");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_queue_close(inherited, &error), &error, "rustbridge.Forked");
  CHECK(rb_submit(inherited, &submission, 1) == RB_OK);
  CHECK_ERROR(RB_FAILED_PRECONDITION, submission.status, &submission.response, "rustbridge.Forked");
  CHECK(rb_close(puppet, UINT64_MAX, NULL) == RB_FAILED_PRECONDITION);

  /* Anew, all of it works, and gets other numbers. */
  own = load(path);
  queue = new_queue();
  CHECK(queue != inherited);
  CHECK(rb_submit(queue, &submission, 1) == RB_OK);
  CHECK_ERROR(RB_FAILED_PRECONDITION, submission.status, &submission.response, "rustbridge.Forked");
  fresh = begin(queue, own, "begin", 0);
  CHECK(fresh != op);
  CHECK(finish(own, fresh, RB_OK, 1000, 1) == RB_OK);
  ends_with(queue, fresh, RB_OK);
  close_queue(queue);
  close_now(own);
}

int main(int argc, char **argv) {
  rb_instance puppet;
  rb_op op;
  rb_status drained = 99;
  thread running;
  pid_t child;
  int status = 0;
  CHECK(argc == 2);
  puppet = load(argv[1]);
  inherited = new_queue();
  op = begin(inherited, puppet, "begin", 0);
  running = start(drain, &drained);
  sleep_ms(20); /* most likely the other thread waits by then, with the queue's condition */
  child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    in_the_child(argv[1], puppet, op);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  /* The parent doesn't notice. */
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  join(running);
  CHECK(drained == RB_OK);
  nothing_left(puppet);
  close_queue(inherited);
  close_now(puppet);
  printf("fork_operations: ok\n");
  return 0;
}
