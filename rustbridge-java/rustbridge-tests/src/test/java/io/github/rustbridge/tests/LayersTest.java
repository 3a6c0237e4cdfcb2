package io.github.rustbridge.tests;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The layers of the packages, as docs/architecture.md lists them, and circles of classes. They are
 * the same for every backend.
 */
@EnabledIfSystemProperty(named = "rustbridge.backend", matches = "jni")
class LayersTest {
  private static final String OURS = "io.github.rustbridge";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(OURS);

  @Test
  void each_package_uses_only_packages_below_it() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(OURS + "..")
        .layer("internal")
        .definedBy(OURS + ".internal")
        .layer("interop")
        .definedBy(OURS + ".interop")
        .layer("wire")
        .definedBy(OURS + ".wire")
        .layer("calls")
        .definedBy(OURS + ".calls")
        .layer("streams")
        .definedBy(OURS + ".streams")
        .layer("services")
        .definedBy(OURS + ".services")
        .layer("objects")
        .definedBy(OURS + ".objects")
        .layer("API")
        .definedBy(OURS)
        .layer("spi")
        .definedBy(OURS + ".spi")
        .optionalLayer("ffm")
        .definedBy(OURS + ".ffm")
        .layer("jni")
        .definedBy(OURS + ".jni")
        .whereLayer("internal")
        .mayOnlyBeAccessedByLayers("calls", "streams", "services", "objects", "API", "spi")
        .whereLayer("interop")
        .mayOnlyBeAccessedByLayers(
            "calls", "streams", "services", "objects", "API", "spi", "ffm", "jni")
        .whereLayer("wire")
        .mayOnlyBeAccessedByLayers("API")
        .whereLayer("calls")
        .mayOnlyBeAccessedByLayers("streams", "services", "objects", "API")
        .whereLayer("streams")
        .mayOnlyBeAccessedByLayers("API")
        .whereLayer("services")
        .mayOnlyBeAccessedByLayers("API")
        .whereLayer("objects")
        .mayOnlyBeAccessedByLayers("API")
        .whereLayer("API")
        .mayOnlyBeAccessedByLayers("spi", "ffm", "jni")
        .whereLayer("spi")
        .mayOnlyBeAccessedByLayers("ffm", "jni")
        .whereLayer("ffm")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("jni")
        .mayNotBeAccessedByAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(CLASSES);
  }

  /** Classes that form a circle, by package. All others are free of circles. */
  private static final Map<String, Set<Set<String>>> CIRCLES =
      Map.of(
          // The API: a plugin returns methods and objects, and these return their plugin.
          OURS,
          Set.of(
              Set.of(
                  "CallOptions",
                  "Method",
                  "MethodsByName",
                  "Plugin",
                  "PluginObject",
                  "Reply",
                  "StreamingCall"),
              // An exception has metadata, and text that isn't valid for metadata is an exception.
              Set.of("Metadata", "PluginException", "Text")),
          // A lease is dropped by the thread that it starts.
          OURS + ".spi",
          Set.of(Set.of("DroppedLeases", "Lease")),
          // A reader calls functions, which read by it.
          OURS + ".wire",
          Set.of(Set.of("Decode", "WireReader")));

  @Test
  void no_other_classes_of_a_package_form_a_circle() {
    Map<String, Set<Set<String>>> found = new TreeMap<>();
    Map<String, List<JavaClass>> packages =
        CLASSES.stream().collect(Collectors.groupingBy(JavaClass::getPackageName));
    packages.forEach((name, classes) -> {
      Set<Set<String>> circles = circles(uses(classes));
      if (!circles.isEmpty()) {
        found.put(name, circles);
      }
    });
    assertEquals(new TreeMap<>(CIRCLES), found);
  }

  /** The top-level classes of a package that each of its top-level classes uses. */
  private static Map<String, Set<String>> uses(List<JavaClass> classes) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      Set<String> used = uses.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(each.getPackageName())) {
          used.add(topLevel(target));
        }
      }
    }
    return uses;
  }

  private static String topLevel(JavaClass each) {
    JavaClass outer = each;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer.getSimpleName();
  }

  /** The largest sets of classes that all use each other, directly or not. */
  private static Set<Set<String>> circles(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reachable = new TreeMap<>();
    for (String name : uses.keySet()) {
      Set<String> seen = new TreeSet<>();
      Deque<String> next = new ArrayDeque<>(uses.get(name));
      while (!next.isEmpty()) {
        String used = next.pop();
        if (!used.equals(name) && seen.add(used)) {
          next.addAll(uses.get(used));
        }
      }
      reachable.put(name, seen);
    }
    Set<Set<String>> circles = new HashSet<>();
    reachable.forEach((name, seen) -> {
      Set<String> circle = new TreeSet<>(Set.of(name));
      seen.stream().filter(other -> reachable.get(other).contains(name)).forEach(circle::add);
      if (circle.size() > 1) {
        circles.add(circle);
      }
    });
    return circles;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rustbridge-kotlin", "rustbridge-spring-boot-starter"})
  void a_module_above_the_api_has_one_package(String module) throws IOException {
    Path sources = Path.of("..", module, "src", "main");
    try (Stream<Path> files = Files.walk(sources)) {
      Set<Path> packages =
          files
              .filter(file -> file.toString().matches(".*\\.(java|kt)"))
              .filter(file -> !file.endsWith("module-info.java"))
              .map(Path::getParent)
              .collect(Collectors.toSet());
      assertEquals(1, packages.size(), () -> module + " has the packages " + packages);
    }
  }
}
