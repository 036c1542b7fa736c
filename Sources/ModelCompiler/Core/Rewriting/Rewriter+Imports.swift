extension Rewriter {
  /// Adds the imports that a file needs for the names that it uses.
  mutating func completeImports(others: [ParsedFile]) {
    let declared = files.map(\.parsed.imports) + others.map(\.imports)
    // If a module is imported with an access level in one file, it must be imported with one in every file.
    let isExplicit = declared.joined().contains { $0.path[0] == "CoreData" && $0.access != nil }
    let isCoreData = declared.joined().contains { $0.path[0] == "CoreData" }
    let isPlain = declared.joined().contains { $0.path == ["CocoaFoundation"] }
    let module = !isCoreData && isPlain ? "CocoaFoundation" : "CoreData"
    for (index, file) in files.enumerated() {
      dropSubmodules(index)
      guard !Rewriter.isImported(in: file), let name = file.tokens.first(where: Self.isCocoaName) else { continue }
      // A name that the module declares itself means something else.
      if program.find([name.text], from: Container(), in: program.module).map(Self.isDeclared) == true { continue }
      let foundation = file.parsed.imports.first { $0.path[0] == "Foundation" }?.access
      let added = ImportDeclaration(access: foundation ?? (isExplicit ? .internal : nil), path: [module])
      add(added, to: index)
      note("import \(module) is added for \(name.text)", name.line, file)
    }
  }

  /// Replaces the import of a submodule, as `import CoreData.CoreDataDefines`, by an import of CoreData.
  private mutating func dropSubmodules(_ index: Int) {
    let file = files[index]
    for position in file.tokens.indices.dropLast(3)
    where file.tokens[position].isKeyword("import") && file.tokens[position + 1].isKeyword("CoreData")
      && file.tokens[position + 2].isPunctuation(".")
    {
      var last = position + 3
      while last + 2 < file.tokens.count, file.tokens[last + 1].isPunctuation("."), file.tokens[last + 2].isName {
        last += 2
      }
      edits[index].blank(file.bytes(of: (position + 2)..<(last + 1)))
      note("the import is one of CoreData as a whole", file.tokens[position].line, file)
    }
  }

  private static func isImported(in file: SourceFile) -> Bool {
    file.parsed.imports.contains {
      ["CoreData", "CocoaFoundation", "OpenCoreData", "OpenCocoaFoundation"].contains($0.path[0])
        && ($0.scope == nil) && $0.conditions.allSatisfy { $0.contains("canImport(CoreData)") && !$0.hasPrefix("!") }
    }
  }

  private static func isDeclared(_ found: Program.Found) -> Bool {
    switch found {
    case .type, .alias: true
    case .known, .knownAlias: false
    }
  }

  private static func isCocoaName(_ token: Token) -> Bool { token.isName && names.contains(token.text) }

  /// Names that Foundation has on Apple's platforms, and that it lacks, or has only in part, on others.
  private static let names: Set = [
    "NSPredicate", "NSComparisonPredicate", "NSCompoundPredicate", "NSExpression", "NSSortDescriptor",
    "ValueTransformer", "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer", "UndoManager", "Selector",
    "NSSelectorFromString", "NSStringFromSelector", "AutoreleasingUnsafeMutablePointer", "NSKeyValueObservation",
    "NSKeyValueObservedChange", "NSKeyValueObservingOptions", "NSKeyValueChange", "NSKeyValueChangeKey",
    "NSKeyValueOperator", "NSKeyValueSetMutationKind", "autoreleasepool",
  ]

  mutating func add(_ declaration: ImportDeclaration, to index: Int) {
    if imports[index]?.contains(declaration) != true { imports[index, default: []].append(declaration) }
  }

  /// Adds those imports of a file to another file to which its code moves.
  mutating func borrowImports(from index: Int, to other: Int) {
    let present = Set(files[other].parsed.imports.map(\.path))
    for var declaration in files[index].parsed.imports where !present.contains(declaration.path) {
      if declaration.path[0] == "CoreData" { declaration.path = ["CoreData"] }
      if !present.contains(declaration.path) { add(declaration, to: other) }
    }
  }
}

extension ImportDeclaration {
  /// The declaration as source; on one line unless it has conditions.
  var text: String {
    let words = attributes.map { "@" + $0 } + [access.map { "\($0)" }, "import", scope].compactMap { $0 }
    let line = (words + [path.joined(separator: ".")]).joined(separator: " ")
    return conditions.isEmpty ? line : "#if \(conditions.joined(separator: " && "))\n\(line)\n#endif"
  }
}
