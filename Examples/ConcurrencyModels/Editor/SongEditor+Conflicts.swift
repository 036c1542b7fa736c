import CoreData

extension SongEditor {
  /// A field that was changed in the form and below it. The values are in words; nil stands for none.
  struct Conflict: Equatable {
    var key: String
    /// The value that the field had when it was changed in the form.
    var begun: String?
    /// The value in the list's context now.
    var below: String?
    /// The value in the form.
    var mine: String?

    var text: String {
      "\(key) was \(begun ?? "nothing"), is \(below ?? "nothing") meanwhile, and \(mine ?? "nothing") in the form."
    }
  }

  /// The song as an object of the list's context; nil if it is new or gone.
  var songBelow: Song? {
    guard !song.isInserted, let below = try? list.existingObject(with: song.objectID) as? Song else { return nil }
    return below.isDeleted ? nil : below
  }

  /// Whether the song was deleted below the form.
  var isGone: Bool { !song.isInserted && songBelow == nil }

  /// The fields that were changed in the form and, since, below it. A child's save asks nobody: it puts its values over the
  /// parent's. So the form compares.
  var conflicts: [Conflict] {
    guard !song.isInserted, !song.isDeleted, let songBelow else { return [] }
    let (mine, below) = (Self.values(of: song), Self.values(of: songBelow))
    return song.changedValues().keys.sorted().compactMap { key in
      guard let begun = begun[key], let theirs = below[key], let own = mine[key] else { return nil }
      guard theirs != begun, theirs != own else { return nil }
      return Conflict(
        key: key, begun: begun.map { "\($0)" }, below: theirs.map { "\($0)" }, mine: own.map { "\($0)" })
    }
  }

  /// Decides all conflicts for the form: its values are to go over those below.
  func keepMine() {
    guard let songBelow else { return }
    let below = Self.values(of: songBelow)
    for conflict in conflicts { note(below[conflict.key] ?? nil, asBeginningOf: conflict.key) }
  }

  /// Decides all conflicts for what is below: the form takes its values. When that is undone, the conflicts are there again.
  func takeTheirs() {
    guard let songBelow else { return }
    let conflicts = conflicts
    edit { song in
      for conflict in conflicts {
        let value = songBelow.value(forKey: conflict.key)
        // The form has an object of its own for each of the list's.
        let own = (value as? NSManagedObject).map { form.object(with: $0.objectID) }
        song.setValue(own ?? value, forKey: conflict.key)
      }
    }
  }
}
