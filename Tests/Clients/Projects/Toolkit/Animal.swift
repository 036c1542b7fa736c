//
//  Animal.swift
//  Toolkit
//

import CoreData

public class Animal: NSManagedObject {

    var summary: String {
        return "\(name ?? "-") (\(legCount))"
    }

}
