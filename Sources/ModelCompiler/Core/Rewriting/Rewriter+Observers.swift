extension Rewriter {
  /// Makes classes that implement `observeValue` conform to the protocol that requires it.
  ///
  /// On Apple's platforms NSObject itself has the method, and classes override it. Here it is a requirement of
  /// `NSKeyValueObserving`, because a method that an extension adds to NSObject cannot be overridden.
  mutating func adoptObserving() {
    for index in files.indices {
      let file = files[index]
      for body in file.bodies where ["class", "extension"].contains(body.keyword) {
        guard let path = body.keyword == "class" ? body.path : program.extendedClass(body.path), !inheritsObserver(path)
        else { continue }
        for member in body.members where isObserver(member, in: file) {
          guard let override = member.modifier("override", file.tokens) else { continue }
          edits[index].blank(file.tokens[override].range)
          replaceSuper(in: member, index)
          if conform(path) {
            note("the class adopts NSKeyValueObserving, which has observeValue", file.tokens[override].line, file)
          }
        }
      }
    }
  }

  private func isObserver(_ member: MemberOutline, in file: SourceFile) -> Bool {
    guard member.keyword == "func", member.name == "observeValue", let parameters = member.parameters else {
      return false
    }
    return labels(Array(file.tokens[parameters].dropFirst().dropLast())) == ["forKeyPath", "of", "change", "context"]
  }

  /// Whether a superclass has the method, so that it can be overridden.
  private func inheritsObserver(_ path: [String]) -> Bool {
    if ["NSManagedObject", "NSManagedObjectContext"].contains(program.frameworkClass(of: path)) { return true }
    let ancestors = Set(program.ancestors(of: path))
    return files.contains { file in
      file.bodies.contains { body in
        let owner = body.keyword == "class" ? body.path : program.extendedClass(body.path)
        return owner.map(ancestors.contains) == true && body.members.contains { isObserver($0, in: file) }
      }
    }
  }

  /// Replaces calls of `super.observeValue`: the superclass has no such method, and nothing handles the observations
  /// that are passed on to it.
  private mutating func replaceSuper(in member: MemberOutline, _ index: Int) {
    let tokens = files[index].tokens
    for place in member.tokens.dropLast(2)
    where tokens[place].isKeyword("super") && tokens[place + 1].isPunctuation(".")
      && tokens[place + 2].text == "observeValue"
    {
      edits[index].replace(
        tokens[place].range.lowerBound..<tokens[place + 2].range.upperBound, with: "self._unhandledObservation")
    }
  }

  /// Adds the protocol after the class's other inherited types; returns false if no file has the class.
  private mutating func conform(_ path: [String]) -> Bool {
    var isFound = false
    for index in files.indices {
      let tokens = files[index].tokens
      for body in files[index].bodies where body.keyword == "class" && body.path == path {
        isFound = true
        guard let start = tokens[..<body.open].lastIndex(where: { $0.isKeyword("class") }) else { continue }
        let header = start..<body.open
        if header.contains(where: { ["NSKeyValueObserving", "NSKeyValueCoding"].contains(tokens[$0].text) }) {
          continue
        }
        let end = header.first { tokens[$0].isKeyword("where") } ?? body.open
        edits[index].insert(", NSKeyValueObserving", at: tokens[end - 1].range.upperBound)
      }
    }
    return isFound
  }
}
