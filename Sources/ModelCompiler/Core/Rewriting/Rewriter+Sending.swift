extension Rewriter {
  /// A parameter whose value is a function, in a method or function.
  private struct BlockParameter: Hashable {
    var file: Int
    /// The first token of the type.
    var type: Int
  }

  /// A function that has such parameters, or can be called by one that has.
  private struct Candidate {
    let member: DeclaredTypes.Member
    let function: CalledFunction
    /// The owner with what it inherits from.
    let family: Set<[String]>

    var owner: [String] { member.owner.path }

    func parameter(_ index: Int) -> BlockParameter {
      BlockParameter(file: member.file, type: function.parameters[index].type)
    }

    func isSame(as other: Candidate) -> Bool {
      member.file == other.member.file && member.outline.keywordToken == other.member.outline.keywordToken
    }

    /// Whether the two have the same name and labels.
    func hasSignature(of other: Candidate) -> Bool {
      member.outline.name == other.member.outline.name
        && function.parameters.map(\.label) == other.function.parameters.map(\.label)
    }
  }

  /// Adds `sending` to blocks that a function passes on to a context's `perform`, which takes none without it in Swift 6
  /// mode; also in the protocols that such functions fulfil, and in functions that pass their blocks on to these.
  ///
  /// A call is judged by its labels, and by the type of its receiver where the sources say both that type and its function.
  /// Of any other receiver it may be each function of that name and those labels.
  mutating func sendBlocks() {
    let types = DeclaredTypes(files)
    let candidates = types.members.mapValues { members in
      members.compactMap { member in
        CalledFunction(member.outline, files[member.file].tokens).map {
          Candidate(member: member, function: $0, family: types.family(of: member.owner.path))
        }
      }
    }
    let all = candidates.values.joined().filter {
      $0.function.isAsync && $0.function.parameters.contains(where: \.mayBeSending)
    }
    var marked: Set<BlockParameter> = []
    var before = -1
    // A function may pass its block on to one that passes it on.
    while marked.count > before {
      before = marked.count
      for candidate in all {
        for (index, parameter) in candidate.function.parameters.enumerated()
        where parameter.mayBeSending && !marked.contains(candidate.parameter(index)) {
          let isSending =
            candidate.member.owner.keyword == "protocol"
            ? isFulfilled(index, of: candidate, by: candidates, marked, types)
            : passes(parameter.name, in: candidate, to: candidates, marked, types)
          if isSending { marked.insert(candidate.parameter(index)) }
        }
      }
    }
    for parameter in marked {
      let token = files[parameter.file].tokens[parameter.type]
      edits[parameter.file].insert("sending ", at: token.range.lowerBound)
      note("the block is sending, as the one of perform", token.line, files[parameter.file])
    }
  }

  /// Whether a requirement of a protocol has a parameter that is sending in a function that fulfils it, or may do so.
  ///
  /// A type may inherit the function from a class, or have it by an extension of another protocol. Only where the functions
  /// of all types that conform are known, others of that signature do not count.
  private func isFulfilled(
    _ index: Int, of requirement: Candidate, by candidates: [String: [Candidate]], _ marked: Set<BlockParameter>,
    _ types: DeclaredTypes
  ) -> Bool {
    let witnesses = (candidates[requirement.member.outline.name] ?? []).filter {
      $0.member.owner.keyword != "protocol" && $0.hasSignature(of: requirement)
    }
    let conforming = types.families(conformingTo: requirement.owner).map { family in
      (family, witnesses.filter { family.contains($0.owner) })
    }
    let isKnown = !conforming.isEmpty && conforming.allSatisfy { !$0.1.isEmpty }
    let possible = isKnown ? conforming.flatMap(\.1) : witnesses
    if possible.contains(where: { marked.contains($0.parameter(index)) }) { return true }
    // A context's own method.
    let labels = requirement.function.parameters.map(\.label)
    return Self.performing[requirement.member.outline.name]?.contains(labels) == true
      && conforming.contains { $0.1.isEmpty && !$0.0.isDisjoint(with: Self.performers) }
  }

  /// Whether a function names a block in an argument that becomes a sending one.
  private func passes(
    _ name: String, in candidate: Candidate, to candidates: [String: [Candidate]], _ marked: Set<BlockParameter>,
    _ types: DeclaredTypes
  ) -> Bool {
    guard let body = candidate.member.outline.body else { return false }
    let tokens = files[candidate.member.file].tokens
    return body.dropLast().contains { position in
      let callee = tokens[position].text
      guard tokens[position].isName, !tokens[position - 1].isKeyword("func"),
        Self.performing[callee] != nil || candidates[callee] != nil, let call = callArguments(position, tokens)
      else { return false }
      func names(_ range: Range<Int>) -> Bool { tokens[range].contains { $0.isName && $0.text == name } }
      guard (call.listed + call.trailing).contains(where: { names($0.tokens) }) else { return false }
      let fitting = (candidates[callee] ?? []).compactMap { function in
        call.places(in: function.function).map { (function, $0) }
      }
      let families = families(
        ofReceiver: receiver(
          of: position, in: candidate.member.outline, of: candidate.owner, candidate.member.file, types), candidate,
        types)
      let known = fitting.filter { function, _ in
        !function.isSame(as: candidate) && families.contains { $0.contains(function.owner) }
      }
      let isSending = (known.isEmpty ? fitting : known).contains { function, places in
        places.contains { names($0.tokens) && marked.contains(function.parameter($0.parameter)) }
      }
      if isSending { return true }
      // The function may be a context's own, which the sources do not have.
      guard known.isEmpty || families.contains(where: { !$0.isDisjoint(with: Self.performers) }) else { return false }
      return Self.isPerform(callee, call)
    }
  }

  /// The types that may have the function which is called; none where the receiver is not known.
  private func families(
    ofReceiver receiver: Receiver, _ caller: Candidate, _ types: DeclaredTypes
  ) -> [Set<[String]>] {
    switch receiver {
    case .nothing: [caller.family, [[]]]
    case .own: [caller.family]
    case .inherited: [caller.family.subtracting([caller.owner])]
    case .types(let known): known.map { types.family(of: $0) }
    case .unknown: []
    }
  }

  private static let performers: Set<[String]> = [
    ["NSManagedObjectContext"], ["NSPersistentContainer"], ["NSPersistentStoreCoordinator"],
    ["NSPersistentCloudKitContainer"],
  ]

  /// The labels with which contexts, containers and coordinators take blocks.
  private static let performing: [String: [[String]]] = [
    "perform": [[], ["_"], ["schedule"], ["schedule", "_"]], "performBackgroundTask": [[], ["_"]],
  ]

  private static func isPerform(_ name: String, _ call: CallArguments) -> Bool {
    performing[name]?.contains(call.listed.map(\.label)) == true && call.trailing.count <= 1
  }
}
