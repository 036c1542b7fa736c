import CoreData

/// Its properties come from the model ("Category/Extension").
@objc(Team)
public class Team: NSManagedObject {

    public var caption: String { "\(title ?? "-") (\(members?.count ?? 0))" }

}

@objc public protocol TeamObserver {
    func teamDidChange(_ team: Team)
}

public final class TeamWatcher: NSObject {
    public weak var observer: TeamObserver?
}
