extension Generator {
  /// Code that runs when the program is loaded and tells the framework where to ask for classes and key paths.
  ///
  /// Only a pointer to it is stored; the tables are made when they are first needed.
  func registration() -> String {
    let classes = classStatements()
    if classes.isEmpty, keyPaths.isEmpty { return "" }
    return """
      #if objectFormat(ELF)
      @used @section(".init_array")
      #elseif objectFormat(COFF)
      @used @section(".CRT$XCU")
      #endif
      private nonisolated let _register: @convention(c) () -> Void = {
        _registerManagedModule(
          name: \(SourceName.quoted(program.module.name)), classes: { _managedClasses() }, keyPaths: { _managedKeyPaths() })
      }

      private nonisolated func _managedClasses() -> [(String, NSManagedObject.Type)] {
        \(table("(String, NSManagedObject.Type)", classes.joined()))
      }

      private nonisolated func _managedKeyPaths() -> [(AnyKeyPath, String)] {
        \(table("(AnyKeyPath, String)", keyPaths.indices.map { "  _listKeyPaths\($0)(&list)\n" }.joined()))
      }

      """ + keyPaths.enumerated().map(keyPathFunction).joined()
  }

  private func table(_ element: String, _ statements: String) -> String {
    statements.isEmpty ? "[]" : "var list: [\(element)] = []\n" + statements + "  return list"
  }

  /// A function for each class, and not optimised: the compiler's time grows faster than the length of a function, and
  /// this one runs once at most.
  private func keyPathFunction(_ index: Int, _ entry: (type: String, statements: String)) -> String {
    """

    @_optimize(none)
    private nonisolated func _listKeyPaths\(index)(_ list: inout [(AnyKeyPath, String)]) {
    \(entry.statements)}

    """
  }

  /// The managed classes that can be named here, by their bare name.
  private func classStatements() -> [String] {
    var lines: [String] = []
    for declaration in files.flatMap(\.types) {
      let path = declaration.info.container.path + [declaration.info.name]
      guard declaration.kind == .class, !isGeneric(path), program.module.access(of: path) > .fileprivate,
        program.isManaged(path, in: program.module)
      else { continue }
      let type = path.map(SourceName.spelled).joined(separator: ".")
      let statement = "  list.append((\(SourceName.quoted(declaration.info.name)), \(type).self))\n"
      let conditions = declaration.info.conditions
      let line = conditions.isEmpty ? statement : condition(conditions) + statement + "#endif\n"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  private func isGeneric(_ path: [String]) -> Bool {
    (1...path.count).contains { program.module.types[Array(path.prefix($0))]?.declaration.isGeneric ?? false }
  }
}
