/*
 * The shop's host in C: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.
 * Usage: shop_host PATH-OF-SHOP-PLUGIN
 */
#include <rustbridge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static rb_instance shop;
static rb_queue queue;
static double began;

static double now_ms(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Prints an event, and the time since the plugin was loaded. The texts have no characters that must be escaped in JSON. */
static void tell(const char *what, const char *text) {
  printf("{\"host\":\"C\",\"transport\":\"librustbridge\",\"happened\":\"%s\",\"text\":\"%s\",\"at_ms\":%.0f}\n", what, text,
         now_ms() - began);
  fflush(stdout);
}

/* Ends the program if a call failed. The response is then the error. */
static void check(rb_status status, const rb_response *response) {
  if (status != RB_OK) {
    fprintf(stderr, "%s: %.*s\n", rb_status_name(status), (int)response->len, (const char *)response->data);
    exit(1);
  }
}

static uint32_t prepare(const char *method) {
  rb_method found = {.size = sizeof found};
  rb_response error = {0};
  check(rb_prepare(shop, rb_text_of(method), RB_ENCODING_JSON, &found, &error), &error);
  return found.entry;
}

/* The plugin calls this service, on any thread on which the plugin's code runs. */
static rb_status price_of(void *user_data, const rb_service_call *call, rb_response *response) {
  char text[128];
  const char *price = call->request_len == 7 && memcmp(call->request, "\"bread\"", 7) == 0 ? "250" : "120";
  (void)user_data;
  snprintf(text, sizeof text, "the plugin asks the host for the price of %.*s: %s", (int)call->request_len - 2,
           (const char *)call->request + 1, price);
  tell("callback", text);
  return rb_respond(response, (const uint8_t *)price, 3);
}

static void on_log(void *user_data, const rb_log_record *record) {
  char text[256];
  (void)user_data;
  snprintf(text, sizeof text, "%.*s", (int)record->message.len, record->message.data);
  tell("log", text);
}

/* Calls an object's method. The call borrows the object, which is the first one in the call context. */
static long call_of(rb_object basket, const char *method, const char *request) {
  uint8_t storage[32] = {0};
  rb_response response = {.data = storage, .capacity = sizeof storage - 1};
  rb_call_context header = {.size = sizeof header, .object_count = 1, .objects = &basket};
  check(rb_call_with(shop, prepare(method), &header, NULL, (const uint8_t *)request, strlen(request), &response), &response);
  return strtol((const char *)response.data, NULL, 10);
}

static void use_basket(void) {
  /* The number of the returned object is written to the reply's `objects`. */
  rb_object basket = 0;
  rb_reply reply = {.objects = {.data = (uint8_t *)&basket, .capacity = sizeof basket}};
  rb_call_context header = {.size = sizeof header, .reply = &reply};
  rb_response response = {0};
  char text[64];
  check(rb_call_with(shop, prepare("enter"), &header, NULL, NULL, 0, &response), &response);
  rb_response_release(&response);

  snprintf(text, sizeof text, "bread is put into the basket, which holds %ld", call_of(basket, "Basket.put", "\"bread\""));
  tell("object", text);
  snprintf(text, sizeof text, "milk is put into the basket, which holds %ld", call_of(basket, "Basket.put", "\"milk\""));
  tell("object", text);
  snprintf(text, sizeof text, "the basket costs %ld in all", call_of(basket, "Basket.total", ""));
  tell("object", text);
  rb_object_release(basket);
}

/* Receives the next event. Returns 0 if none arrives in time. The caller releases the event's response. */
static int next(rb_event *event, uint64_t timeout_ms) {
  size_t count = 0;
  rb_response error = {0};
  *event = (rb_event){.size = sizeof *event};
  check(rb_queue_poll(queue, event, 1, NULL, 0, timeout_ms, &count, &error), &error);
  return count == 1;
}

static rb_op begin(const char *method, const char *request, uint64_t items) {
  rb_submission call = {.size = sizeof call, .instance = shop, .entry = prepare(method), .request = (const uint8_t *)request,
                        .request_len = strlen(request), .demand_items = items, .demand_bytes = items * 1024};
  rb_submit(queue, &call, 1);
  if (call.status != RB_PENDING) {
    check(call.status, &call.response);
  }
  return call.op;
}

/* Prints each item as soon as it arrives. The demand is one item, so the items arrive one at a time. */
static void follow(void) {
  rb_op parcel = begin("follow", "7", 1);
  rb_event event;
  for (int ended = 0; !ended; rb_response_release(&event.response)) {
    next(&event, UINT64_MAX);
    if (event.kind == RB_EVENT_ITEMS) {
      char text[128];
      /* The item is a string in quotes. If the event has RB_BATCH_ENDS, four bytes with its end follow. */
      size_t len = event.response.len - (event.flags & RB_BATCH_ENDS ? 4 : 0);
      snprintf(text, sizeof text, "%.*s", (int)len - 2, (const char *)event.response.data + 1);
      tell("stream", text);
      rb_op_demand(parcel, 1, 1024, NULL);
    } else {
      check(event.status, &event.response);
      tell("stream", "that was the last");
      ended = 1;
    }
  }
}

/* A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits. */
static void deliver(void) {
  rb_op delivery = begin("deliver", "60", 0);
  rb_event event;
  char text[64];
  tell("cancel", "a delivery begins that takes an hour");
  next(&event, 20);
  rb_op_cancel(delivery, NULL);
  next(&event, UINT64_MAX);
  snprintf(text, sizeof text, "asked to end, it ends: %s", rb_status_name(event.status));
  tell("cancel", text);
  rb_response_release(&event.response);
}

int main(int argc, char **argv) {
  rb_service prices = {.size = sizeof prices, .encoding = RB_ENCODING_JSON, .name = rb_text_of("prices.of"), .call = price_of};
  rb_log_sink log = {.size = sizeof log, .log = on_log};
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(argc > 1 ? argv[1] : ""), .log = &log,
                             .log_level = RB_LOG_INFO, .services = &prices, .service_count = 1};
  rb_response error = {0};
  check(rb_load(&options, &shop, &error), &error);
  began = now_ms();
  check(rb_queue_new(&queue, &error), &error);

  use_basket();
  follow();
  deliver();

  check(rb_log_flush(shop, 1000, &error), &error);
  check(rb_close(shop, 5000, &error), &error);
  check(rb_queue_close(queue, &error), &error);
  return 0;
}
