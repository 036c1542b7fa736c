/// What every context of a tree must see, kept in plain dictionaries: people by their numbers.
struct TreeModel {
  struct Person: Equatable {
    var name: String
    var age: Int
    var boss: Int?
  }

  /// One context: what it has changed, on top of what it had read of its parent by then.
  struct Level {
    var parent: Int?
    /// The memory of each pending person.
    var pending: [Int: Person] = [:]
    /// What a pending person's values differ from; nil for one that was inserted here.
    var base: [Int: Person] = [:]
    var deleted: Set<Int> = []
    var joined: Set<Membership> = []
    var left: Set<Membership> = []

    var isClean: Bool { pending.isEmpty && deleted.isEmpty && joined.isEmpty && left.isEmpty }
  }

  struct Membership: Hashable {
    let person: Int
    let club: Int
  }

  /// The store's.
  var people: [Int: Person] = [:]
  var memberships: Set<Membership> = []
  var levels: [Int: Level] = [0: Level(parent: nil)]

  // MARK: What is seen

  /// A person as the contexts from `level` upwards, or the store, have them.
  func person(_ number: Int, from level: Int?) -> Person? {
    guard let level, let here = levels[level] else { return people[number] }
    if here.deleted.contains(number) { return nil }
    return here.pending[number] ?? person(number, from: here.parent)
  }

  func everybody(from level: Int?) -> Set<Int> {
    guard let level, let here = levels[level] else { return Set(people.keys) }
    return everybody(from: here.parent).union(here.pending.keys).subtracting(here.deleted)
  }

  func clubs(from level: Int?) -> Set<Membership> {
    guard let level, let here = levels[level] else { return memberships }
    return clubs(from: here.parent).subtracting(here.left).union(here.joined)
      .filter { !here.deleted.contains($0.person) }
  }

  /// Whether relationships may be changed at `level` without another context having changes that could differ.
  func mayRelate(at level: Int) -> Bool {
    var above: Set<Int> = [level]
    var next = levels[level]?.parent
    while let number = next {
      above.insert(number)
      next = levels[number]?.parent
    }
    return levels.allSatisfy { above.contains($0.key) || $0.value.isClean }
  }

  /// Whether something that was changed at `level` is not there any more for its parent.
  func isBehind(_ level: Int) -> Bool {
    guard let here = levels[level], let parent = here.parent else { return false }
    return here.base.keys.contains { person($0, from: parent) == nil }
  }

  /// Whether no context below has changes.
  func isLowest(_ level: Int) -> Bool {
    levels.allSatisfy { number, other in
      guard other.parent == level else { return true }
      return other.isClean && isLowest(number)
    }
  }

  // MARK: Changes

  /// The person's values are read anew from above, below what was set here.
  mutating func refresh(_ number: Int, at level: Int) {
    guard let here = levels[level], let old = here.base[number], let mine = here.pending[number],
      let new = person(number, from: here.parent)
    else { return }
    levels[level]?.pending[number] = Self.apply(mine, since: old, on: new)
    levels[level]?.base[number] = new
  }

  private static func apply(_ mine: Person, since old: Person, on new: Person) -> Person {
    Person(
      name: mine.name != old.name ? mine.name : new.name, age: mine.age != old.age ? mine.age : new.age,
      boss: mine.boss != old.boss ? mine.boss : new.boss)
  }

  mutating func insert(_ number: Int, _ person: Person, at level: Int) { levels[level]?.pending[number] = person }

  mutating func change(_ number: Int, at level: Int, _ body: (inout Person) -> Void) {
    guard var mine = person(number, from: level) else { return }
    if levels[level]?.pending[number] == nil { levels[level]?.base[number] = mine }
    body(&mine)
    levels[level]?.pending[number] = mine
  }

  mutating func set(_ isMember: Bool, _ membership: Membership, at level: Int) {
    guard clubs(from: level).contains(membership) != isMember else { return }
    // The person counts as changed.
    change(membership.person, at: level) { _ in }
    if isMember {
      if levels[level]?.left.remove(membership) == nil { levels[level]?.joined.insert(membership) }
    } else {
      if levels[level]?.joined.remove(membership) == nil { levels[level]?.left.insert(membership) }
    }
  }

  mutating func delete(_ number: Int, at level: Int) {
    for other in everybody(from: level) where other != number && person(other, from: level)?.boss == number {
      change(other, at: level) { $0.boss = nil }
    }
    if let boss = person(number, from: level)?.boss { change(boss, at: level) { _ in } }
    for membership in clubs(from: level) where membership.person == number { set(false, membership, at: level) }
    // One that was inserted here just leaves.
    let isNew = levels[level]?.pending[number] != nil && levels[level]?.base[number] == nil
    levels[level]?.pending[number] = nil
    levels[level]?.base[number] = nil
    if !isNew { levels[level]?.deleted.insert(number) }
  }

  mutating func rollback(_ level: Int) {
    levels[level] = Level(parent: levels[level]?.parent)
  }

  /// The changes become the parent's, or the store's.
  mutating func save(_ level: Int) {
    guard let here = levels[level] else { return }
    for (number, mine) in here.pending {
      let base = here.base[number]
      if let parent = here.parent {
        if let base {
          change(number, at: parent) { $0 = Self.apply(mine, since: base, on: $0) }
        } else {
          insert(number, mine, at: parent)
        }
      } else {
        people[number] = mine
      }
    }
    if let parent = here.parent {
      for membership in here.left { set(false, membership, at: parent) }
      for membership in here.joined { set(true, membership, at: parent) }
    } else {
      memberships = memberships.subtracting(here.left).union(here.joined)
    }
    for number in here.deleted {
      if let parent = here.parent { delete(number, at: parent) } else { people[number] = nil }
    }
    rollback(level)
  }
}
