/// Finds the classes that a model leaves to be written by hand, and that no file declares.
///
/// The program runs without these classes, as on Apple's systems, with plain NSManagedObjects: then casts fail, far
/// from the cause.
package enum MissingClasses {
  /// - Parameters:
  ///   - files: the files of the module, and those that its models generate.
  ///   - dependencies: other modules, which are parsed only if one of the classes is not in this module.
  package static func warnings(
    _ model: ModelSource, module: String, files: [ParsedFile],
    dependencies: [(name: String, load: () -> [ParsedFile])]
  ) -> [SourceProblem] {
    let known = names(files)
    let missing = model.entities.filter { entity in
      guard entity.generation != .definition, let name = ManagedClassName(entity.className) else { return false }
      return [nil, module].contains(name.module) && !known.contains(name.name)
    }
    if missing.isEmpty { return [] }
    let others = names(dependencies.flatMap { $0.load() })
    return missing.compactMap { entity in
      guard let name = ManagedClassName(entity.className)?.name, !others.contains(name) else { return nil }
      return SourceProblem(
        path: model.path, line: entity.place.line, column: entity.place.column,
        message: message(entity, class: name, module: module), isWarning: true)
    }
  }

  private static func message(_ entity: EntitySource, class name: String, module: String) -> String {
    let result =
      entity.generation == .category
      ? "Its Codegen is Category/Extension, which makes the properties alone: the extension will not compile."
      : "Its Codegen is Manual/None: its objects will be plain NSManagedObjects."
    return """
      “\(entity.name)”: no file of \(module) declares its class \(name). \(result) Add the file to the target, or choose \
      Class Definition.
      """
  }

  /// Returns the names by which classes can be found.
  private static func names(_ files: [ParsedFile]) -> Set<String> {
    Set(
      files.flatMap { file in
        file.types.flatMap { [$0.info.name, $0.objectiveCName].compactMap { $0 } } + file.aliases.map(\.info.name)
      })
  }
}
