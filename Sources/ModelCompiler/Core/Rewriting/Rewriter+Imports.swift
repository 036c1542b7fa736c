extension Rewriter {
  /// Adds the imports that a file needs for the names that it uses.
  mutating func completeImports(others: [ParsedFile]) {
    let declared = (files.map(\.parsed.imports) + others.map(\.imports)).joined()
    let module = cocoaModule
    let known = declared.filter { $0.path[0] == module }.map(\.access)
    hasExplicitImports = known.contains { $0 != nil }
    for (index, file) in files.enumerated() {
      dropSubmodules(index)
      guard !Rewriter.isImported(in: file), let name = cocoaName(in: file) else { continue }
      let foundation = file.parsed.imports.first { $0.path[0] == "Foundation" }?.access
      let access: AccessLevel?
      // If a module is imported with an access level in one file, it must be imported with one in every file.
      if hasExplicitImports {
        let isShown = known.contains { ($0 ?? .private) >= .public } && showsCocoaName(file)
        access = foundation ?? (isShown ? .public : .internal)
      } else {
        access = known.isEmpty ? foundation : nil
      }
      add(ImportDeclaration(access: access, path: [module]), to: index)
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

  /// Returns the first name that Foundation lacks. One that the module declares itself means something else, unless it
  /// is qualified.
  private func cocoaName(in file: SourceFile) -> Token? {
    let index = file.tokens.indices.first { index in
      guard Self.isCocoaName(file.tokens[index]) else { return false }
      if Self.isQualified(at: index, file.tokens) { return true }
      let found = program.find([file.tokens[index].text], from: Container(), in: program.module)
      return found.map(Self.isDeclared) != true
    }
    return index.map { file.tokens[$0] }
  }

  /// Whether a public declaration of a file names what Foundation lacks, as a type of its signature. Two of the classes
  /// are Foundation's, and only get more methods: a public import for them would be one too many.
  private func showsCocoaName(_ file: SourceFile) -> Bool {
    file.bodies.contains { body in
      body.members.contains { member in
        guard member.level(in: body, file.tokens) >= .public else { return false }
        let end = member.body?.lowerBound ?? member.tokens.upperBound
        return file.tokens[member.tokens.lowerBound..<end].contains {
          Self.isCocoaName($0) && $0.text != "NSPredicate" && $0.text != "NSSortDescriptor"
        }
      }
    }
  }

  private static func isDeclared(_ found: Program.Found) -> Bool {
    switch found {
    case .type, .alias: true
    case .known, .knownAlias: false
    }
  }

  static func isCocoaName(_ token: Token) -> Bool { token.isName && names.contains(token.text) }

  /// Names that Foundation has on Apple's platforms, and that it lacks, or has only in part, on others.
  private static let names: Set = [
    "NSPredicate", "NSComparisonPredicate", "NSCompoundPredicate", "NSExpression", "NSSortDescriptor",
    "ValueTransformer", "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer", "UndoManager", "Selector",
    "NSSelectorFromString", "NSStringFromSelector", "AutoreleasingUnsafeMutablePointer", "NSKeyValueObservation",
    "NSKeyValueObservedChange", "NSKeyValueObservingOptions", "NSKeyValueChange", "NSKeyValueChangeKey",
    "NSKeyValueOperator", "NSKeyValueSetMutationKind", "autoreleasepool", "NSFastEnumerationIterator", "NSEC_PER_SEC",
    "NSEC_PER_MSEC", "NSEC_PER_USEC", "USEC_PER_SEC", "MSEC_PER_SEC",
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
