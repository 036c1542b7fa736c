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

    func parameter(_ index: Int) -> BlockParameter {
      BlockParameter(file: member.file, type: function.parameters[index].type)
    }

    /// Whether the two have the same name and labels.
    func hasSignature(of other: Candidate) -> Bool {
      member.outline.name == other.member.outline.name
        && function.parameters.map(\.label) == other.function.parameters.map(\.label)
    }
  }

  /// Adds `sending` to blocks that a function passes on to a context's `perform`, which takes none without it in Swift 6
  /// mode; also in the protocols that such functions fulfil, and in functions that pass their blocks on to these.
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
    // A function may pass its block on to one that passes it on.
    for _ in 0..<8 {
      let before = marked.count
      for candidate in all {
        for (index, parameter) in candidate.function.parameters.enumerated()
        where parameter.mayBeSending && !marked.contains(candidate.parameter(index)) {
          if passes(parameter.name, in: candidate, to: candidates, marked, types)
            || isFulfilled(index, of: candidate, by: candidates, marked)
          {
            marked.insert(candidate.parameter(index))
          }
        }
      }
      if marked.count == before { break }
    }
    for parameter in marked {
      let token = files[parameter.file].tokens[parameter.type]
      edits[parameter.file].insert("sending ", at: token.range.lowerBound)
      note("the block is sending, as the one of perform", token.line, files[parameter.file])
    }
  }

  /// Whether a requirement of a protocol has a parameter that is sending in a function that fulfils it.
  private func isFulfilled(
    _ index: Int, of requirement: Candidate, by candidates: [String: [Candidate]],
    _ marked: Set<BlockParameter>
  ) -> Bool {
    requirement.member.owner.keyword == "protocol"
      && (candidates[requirement.member.outline.name] ?? []).contains { witness in
        witness.hasSignature(of: requirement) && marked.contains(witness.parameter(index))
          && witness.family.contains(requirement.member.owner.path)
      }
  }

  /// Whether a function names a block in an argument that becomes a sending one.
  private func passes(
    _ name: String, in candidate: Candidate, to candidates: [String: [Candidate]],
    _ marked: Set<BlockParameter>,
    _ types: DeclaredTypes
  ) -> Bool {
    guard let body = candidate.member.outline.body else { return false }
    let tokens = files[candidate.member.file].tokens
    return body.dropLast().contains { position in
      guard tokens[position].isName, !tokens[position - 1].isKeyword("func"),
        Self.performing[tokens[position].text] != nil || candidates[tokens[position].text] != nil,
        let call = callArguments(position, tokens)
      else { return false }
      func names(_ range: Range<Int>) -> Bool {
        tokens[range].contains { $0.isName && $0.text == name }
      }
      guard (call.listed + call.trailing).contains(where: { names($0.tokens) }) else {
        return false
      }
      let receiver = receiver(
        of: position, in: candidate.member.outline, of: candidate.member.owner.path,
        candidate.member.file, types)
      let callees = callees(tokens[position].text, receiver, candidate, candidates, types)
        .compactMap { callee in
          call.places(in: callee.function).map { (callee, $0) }
        }
      let isSending = callees.contains { callee, places in
        places.contains { names($0.tokens) && marked.contains(callee.parameter($0.parameter)) }
      }
      if isSending { return true }
      // Of an unknown value it may be a context's method all the same.
      if case .unknown = receiver { return Self.isPerform(tokens[position].text, call) }
      return callees.isEmpty && Self.isPerform(tokens[position].text, call)
    }
  }

  /// The functions of that name that the receiver may have.
  private func callees(
    _ name: String, _ receiver: Receiver, _ caller: Candidate, _ candidates: [String: [Candidate]],
    _ types: DeclaredTypes
  ) -> [Candidate] {
    let named = candidates[name] ?? []
    switch receiver {
    case .nothing:
      return named.filter {
        $0.member.owner.path.isEmpty || caller.family.contains($0.member.owner.path)
      }
    case .own: return named.filter { caller.family.contains($0.member.owner.path) }
    case .named(let names):
      let known = types.types(named: names)
      let families = (known.isEmpty ? [names] : known).map { types.family(of: $0) }
      // A value of a protocol's type has the methods of the types that fulfil it.
      return named.filter { candidate in
        families.contains { $0.contains(candidate.member.owner.path) }
      }
    case .unknown: return named.filter { !$0.member.owner.path.isEmpty }
    }
  }

  /// The labels with which a context's own methods take blocks.
  private static let performing: [String: [[String]]] = [
    "perform": [[], ["_"], ["schedule"], ["schedule", "_"]], "performBackgroundTask": [[], ["_"]],
  ]

  private static func isPerform(_ name: String, _ call: CallArguments) -> Bool {
    performing[name]?.contains(call.listed.map(\.label)) == true && call.trailing.count <= 1
  }

  /// Returns the arguments of the call of a name; nil if the name is not called.
  private func callArguments(_ position: Int, _ tokens: [Token]) -> CallArguments? {
    var parser = Parser(tokens, path: "")
    parser.position = position + 1
    var listed: [(label: String, tokens: Range<Int>)] = []
    var trailing: [(label: String, tokens: Range<Int>)] = []
    guard parser.isPunctuation("(") || parser.isPunctuation("{") else { return nil }
    if parser.isPunctuation("(") {
      let start = parser.position
      parser.skipBalanced()
      listed = arguments(start + 1..<parser.position - 1, tokens).map {
        (isLabelled($0, tokens) ? tokens[$0.lowerBound].text : "_", $0)
      }
    }
    var label = "_"
    while parser.isPunctuation("{") {
      let start = parser.position
      parser.skipBalanced()
      trailing.append((label, start..<parser.position))
      guard parser.current?.isName == true, parser.token(1)?.isPunctuation(":") == true,
        parser.token(2)?.isPunctuation("{") == true
      else { break }
      label = parser.current?.text ?? "_"
      parser.position += 2
    }
    return CallArguments(listed: listed, trailing: trailing)
  }
}
