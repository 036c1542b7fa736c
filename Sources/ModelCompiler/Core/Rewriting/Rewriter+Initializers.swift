extension Rewriter {
  /// The framework's required initialiser that a declaration overrides.
  enum RequiredInitializer {
    case entity, context, model, store, plain
  }

  /// Adds `required` to overrides of the framework's initialisers, and adds the initialisers that a class would no
  /// longer inherit.
  mutating func requireInitializers(_ index: Int) {
    let file = files[index]
    let classes =
      file.bodies.filter { $0.keyword == "class" }.map { ($0, requiringClass($0.path)) }
      + file.localClasses.map { ($0.body, requiringClass(of: $0, in: file)) }
    for (body, kind) in classes {
      guard let kind else { continue }
      var isComplete = true
      var hasOwn = false
      for member in body.members where member.keyword == "init" {
        hasOwn = hasOwn || member.modifier("convenience", file.tokens) == nil
        guard let initializer = requiredInitializer(member, in: file, of: kind) else { continue }
        if initializer != .context { isComplete = false }
        require(member, in: index, isOpen: body.access == .open)
      }
      if hasOwn, isComplete { addRequired(kind, to: body, index) }
    }
  }

  private mutating func addRequired(_ kind: RequiringClass, to body: TypeBody, _ index: Int) {
    let file = files[index]
    let line = file.tokens[body.open].line
    let text =
      body.members.contains(where: \.needsValue)
      ? kind.unimplemented(in: body.path.joined(separator: ".")) : kind.inherited
    let next = file.tokens[body.open + 1]
    let separator = next.line == line && !next.isPunctuation("}") ? ";" : ""
    edits[index].insert(
      " " + (body.access == .open ? "public " : "") + text + separator,
      at: file.tokens[body.open].range.upperBound)
    note("the class gets the required initialiser that it does not inherit", line, file)
  }

  /// Adds `required` to an initialiser.
  mutating func require(_ member: MemberOutline, in index: Int, isOpen: Bool) {
    let file = files[index]
    let tokens = file.tokens
    if let access = member.access(tokens), access.level < (isOpen ? .public : .internal) {
      // The initialiser must be as visible as the class.
      edits[index].replace(tokens[access.token].range, with: isOpen ? "public" : "")
    } else if isOpen, member.access(tokens) == nil {
      edits[index].insert("public ", at: tokens[member.keywordToken].range.lowerBound)
    }
    let required = member.modifier("required", tokens)
    if let override = member.modifier("override", tokens) {
      edits[index].replace(tokens[override].range, with: required == nil ? "required" : "")
      note("the override of an initialiser is required", tokens[override].line, file)
    } else if required == nil {
      edits[index].insert("required ", at: tokens[member.keywordToken].range.lowerBound)
      note("the initialiser is required", tokens[member.keywordToken].line, file)
    }
  }

  /// Returns the framework's initialiser that a member of such a class overrides.
  func requiredInitializer(
    _ member: MemberOutline, in file: SourceFile, of kind: RequiringClass
  ) -> RequiredInitializer? {
    guard member.keyword == "init", let parameters = member.parameters else { return nil }
    let next = file.tokens[member.keywordToken + 1]
    // A failable or generic initialiser overrides none of them.
    if next.isPunctuation("?") || next.isPunctuation("<") { return nil }
    let inner = Array(file.tokens[parameters].dropFirst().dropLast())
    switch (kind, labels(inner)) {
    case (.object, ["entity", "insertInto"]): return names("NSManagedObjectContext", inner) ? .entity : nil
    case (.object, ["context"]): return names("NSManagedObjectContext", inner) ? .context : nil
    case (.coordinator, ["managedObjectModel"]): return names("NSManagedObjectModel", inner) ? .model : nil
    case (.store, ["persistentStoreCoordinator", "configurationName", "at", "options"]): return .store
    case (.plain, []): return .plain
    default: return nil
    }
  }

  private func names(_ type: String, _ tokens: [Token]) -> Bool { tokens.contains { $0.isKeyword(type) } }

  func requiringClass(_ path: [String]) -> RequiringClass? {
    program.frameworkClass(of: path).flatMap(RequiringClass.init)
  }

  private func requiringClass(of local: LocalClass, in file: SourceFile, depth: Int = 0) -> RequiringClass? {
    guard case .named(let names, _)? = local.declaration.inherited.first, let name = names.last, depth < 16 else {
      return nil
    }
    if names.count == 1, let base = file.localClasses.first(where: { $0.body.path == names }) {
      return requiringClass(of: base, in: file, depth: depth + 1)
    }
    switch program.find(names, from: Container(), in: program.module) {
    case .type(let index, let path)? where index === program.module: return requiringClass(path)
    case .type(let index, let path)?: return program.isManaged(path, in: index) ? .object : nil
    case .known(let nominal)?: return RequiringClass(nominal.name)
    default: return name.hasSuffix("ManagedObject") ? .object : nil
    }
  }
}
