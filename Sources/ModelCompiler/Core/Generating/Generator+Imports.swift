extension Generator {
  /// Returns the imports of the files that declare managed members, because the generated signatures name the same
  /// types. The imports of files with subclasses are needed for inherited members.
  func imports() -> String {
    let declared = files.filter { file in
      !file.members.isEmpty || !file.namedMembers.isEmpty
        || file.types.contains { $0.kind == .class && !$0.inherited.isEmpty }
    }.flatMap(\.imports)
    // If a module is imported with an access level in one file, it must be imported with one in every file.
    let explicit = Set(files.flatMap(\.imports).filter { $0.access != nil }.map { $0.path[0] })
    let isPublic = Set(files.flatMap(\.imports).filter { ($0.access ?? .private) >= .package }.map { $0.path[0] })
    var lines: [String] = [line(ImportDeclaration(path: ["CoreData"]), explicit, isPublic)]
    for declaration in declared where declaration.path != ["CoreData"] || declaration.scope != nil {
      let text = line(declaration, explicit, isPublic)
      let guarded =
        declaration.conditions.isEmpty ? text : condition(declaration.conditions) + text + "\n#endif"
      if !lines.contains(guarded) { lines.append(guarded) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ declaration: ImportDeclaration, _ explicit: Set<String>, _ isPublic: Set<String>) -> String {
    let module = declaration.path[0]
    var access = ""
    if explicit.contains(module) {
      access = isPublic.contains(module) && isNeeded(module) ? "public " : "internal "
    }
    let attributes = declaration.attributes.map { "@\($0) " }.joined()
    let scope = declaration.scope.map { $0 + " " } ?? ""
    return "\(attributes)\(access)import \(scope)\(declaration.path.joined(separator: "."))"
  }

  /// Whether public signatures name types of a module; the compiler warns about a public import that is not needed.
  private func isNeeded(_ module: String) -> Bool {
    switch module {
    case "Foundation": publicModules.contains { $0.hasPrefix("Foundation") }
    case "CoreData": publicModules.contains { ["OpenCoreData", "OpenCocoaFoundation"].contains($0) }
    case "CocoaFoundation": publicModules.contains("OpenCocoaFoundation")
    default: publicModules.contains(module)
    }
  }
}
