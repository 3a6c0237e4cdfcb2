import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import markdown.Heading;
import markdown.Markdown;
import markdown.Page;
import markdown.PageError;
import markdown.PageException;

/**
 * Serves a folder of Markdown pages as HTML. Pages aren't cached, so changes are visible at once.
 */
public final class MarkdownServer implements HttpHandler {
  /** The valid names of pages. None of them leads out of the folder. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

  private final Markdown markdown;
  private final Path pages;

  private MarkdownServer(Markdown markdown, Path pages) {
    this.markdown = markdown;
    this.pages = pages;
  }

  /**
   * Starts the server. The environment variable {@code PORT} specifies the port on which it
   * listens. The default is 8080. With 0, the system chooses a free port.
   *
   * @param arguments the path of the plugin's library, and the folder of the pages
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: MarkdownServer LIBRARY FOLDER");
      System.exit(2);
    }
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    PluginConfig config = PluginConfig.json("{\"longest\": 100000}");
    Markdown markdown = Markdown.load(Path.of(arguments[0]), config);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", new MarkdownServer(markdown, Path.of(arguments[1])));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              server.stop(1);
              threads.shutdown();
              // Waits for running calls.
              markdown.close();
            }));
    server.start();
    System.out.println("http://localhost:" + server.getAddress().getPort() + "/");
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        answer(exchange, 405, "Not allowed", "<p>Pages are read here.</p>");
        return;
      }
      String name = exchange.getRequestURI().getPath().substring(1).replaceFirst("\\.md$", "");
      if (name.isEmpty()) {
        name = "index";
      }
      // The name is checked before it becomes a path: not every request can be a path.
      if (!NAME.matcher(name).matches() || !Files.isRegularFile(pages.resolve(name + ".md"))) {
        answer(exchange, 404, "Not found", "<p>There is no such page.</p>");
        return;
      }
      byte[] source;
      try {
        source = Files.readAllBytes(pages.resolve(name + ".md"));
      } catch (IOException failed) {
        refuse(exchange, failed);
        return;
      }
      show(exchange, name, source);
    }
  }

  /** Sends a page as HTML. Any number of threads run this, and the plugin, at the same time. */
  private void show(HttpExchange exchange, String name, byte[] source) throws IOException {
    Page page;
    try {
      page = markdown.render(name, source);
    } catch (PageException failed) {
      String advice =
          failed.error() instanceof PageError.NotText broken
              ? "Look at its line " + line(source, broken.at()) + "."
              : "Let it be shorter.";
      String text = "<p>" + escaped(failed.getMessage()) + ". " + advice + "</p>";
      answer(exchange, 500, "This page is broken", text);
      return;
    } catch (PluginException failed) {
      refuse(exchange, failed);
      return;
    }
    StringBuilder body = new StringBuilder();
    if (page.headings().size() > 1) {
      body.append("<nav><ul>\n");
      for (Heading heading : page.headings()) {
        body.append("<li><a href=\"#%s\">".formatted(escaped(heading.anchor())))
            .append(escaped(heading.text()))
            .append("</a></li>\n");
      }
      body.append("</ul></nav>\n");
    }
    body.append(page.html());
    answer(exchange, 200, page.title(), body.toString());
  }

  /** Reports a problem to the operator on standard error. The client gets no details. */
  private static void refuse(HttpExchange exchange, Exception why) throws IOException {
    System.err.println(exchange.getRequestURI() + ": " + why);
    answer(exchange, 500, "This page can't be shown", "<p>Something went wrong here.</p>");
  }

  private static void answer(HttpExchange exchange, int status, String title, String body)
      throws IOException {
    String head = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>";
    byte[] document =
        (head + escaped(title) + "</title>\n" + body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    boolean withBody = !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, withBody ? document.length : -1);
    if (withBody) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(document);
      }
    }
  }

  /** Returns the number of the line that contains a byte, counted from 1. */
  private static int line(byte[] source, long at) {
    int line = 1;
    for (int i = 0; i < at; i++) {
      if (source[i] == '\n') {
        line++;
      }
    }
    return line;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
